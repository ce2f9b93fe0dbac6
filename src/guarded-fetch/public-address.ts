import { type IPAddress, type IPRange, isInIPRange, parseIPRange } from "../core/ip-address.ts";

/**
 * IPv4 that is not part of the public Internet: the IANA IPv4 Special-Purpose Address Registry, multicast and reserved
 * space, and the control address of one large cloud, which looks public and answers from inside its machines.
 */
const REFUSED_IPV4: readonly (readonly [range: string, what: string])[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared between carrier and customer, also metadata of a cloud"],
  ["127.0.0.0/8", "loopback"],
  ["168.63.129.16/32", "control address of a cloud"],
  ["169.254.0.0/16", "link-local, also cloud metadata"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "AS112"],
  ["192.52.193.0/24", "multicast tunnels"],
  ["192.88.99.0/24", "6to4 relays"],
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "AS112"],
  ["198.18.0.0/15", "benchmarks"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
];

/** The only space IANA hands out as global unicast; all translated, mapped, local and multicast forms lie outside. */
const GLOBAL_IPV6 = "2000::/3";

/** What is special inside it: the IANA IPv6 Special-Purpose Address Registry. */
const REFUSED_IPV6: readonly (readonly [range: string, what: string])[] = [
  ["2001::/23", "protocol assignments, Teredo among them"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4, which carries an IPv4 address"],
  ["2620:4f:8000::/48", "AS112"],
  ["3fff::/20", "documentation"],
];

function readRange(text: string): IPRange {
  const range = parseIPRange(text);
  if (!range) throw new Error(`${text} is no range of addresses`);
  return range;
}

const toTable = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([range, what]) => ({ range: readRange(range), what }));

const IPV4_TABLE = toTable(REFUSED_IPV4);
const IPV6_TABLE = toTable(REFUSED_IPV6);
const GLOBAL_IPV6_RANGE = readRange(GLOBAL_IPV6);

/**
 * Why an address is not one of the public Internet, in words for a log, or null when it is. An IPv4 address written
 * inside an IPv6 address is never public: that spelling is meant to get past a check.
 */
export function findAddressFault(address: IPAddress): string | null {
  if (address.version === 6) {
    const [first, second] = address.bytes;
    const global = isInIPRange({ version: 6, bytes: address.bytes, zone: null }, GLOBAL_IPV6_RANGE);
    if (!global) return first === 0xfe && ((second ?? 0) & 0xc0) === 0x80 ? "link-local" : "not global unicast";
    if (address.zone !== null) return "an address with a zone belongs to one link";
  }
  const table = address.version === 4 ? IPV4_TABLE : IPV6_TABLE;
  return table.find(({ range }) => isInIPRange(address, range))?.what ?? null;
}
