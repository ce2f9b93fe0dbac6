/** One IP address, in network byte order: 4 bytes for IPv4, 16 for IPv6. */
export interface IPAddress {
  readonly version: 4 | 6;
  readonly bytes: Uint8Array;
  /** The interface a link-local IPv6 address belongs to ("eth0" in "fe80::1%eth0"), or null. */
  readonly zone: string | null;
}

/** All addresses that share the first `prefix` bits of an address. */
export interface IPRange {
  readonly version: 4 | 6;
  /** The first address of the range. */
  readonly bytes: Uint8Array;
  readonly prefix: number;
}

/** An address and the port that was written with it, or null. */
export interface IPEndpoint {
  readonly address: IPAddress;
  readonly port: number | null;
}

/** "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255" and a zone of 32 characters. */
const CHARS_MAX = 45 + 33;
const ZONE = /^[0-9A-Za-z._-]{1,32}$/;
const [DOT, COLON, ZERO, NINE] = [0x2e, 0x3a, 0x30, 0x39];

function hexValue(code: number): number {
  if (code >= ZERO && code <= NINE) return code - ZERO;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Reads "a.b.c.d" from `start` to the end of the text into four bytes. */
function readIPv4(text: string, start: number, bytes: Uint8Array): boolean {
  let position = start;
  for (let part = 0; part < 4; part++) {
    if (part > 0 && text.charCodeAt(position++) !== DOT) return false;
    const first = position;
    let value = 0;
    for (; position < text.length; position++) {
      const code = text.charCodeAt(position);
      if (code < ZERO || code > NINE) break;
      value = value * 10 + code - ZERO;
      // "010" is 8 to some readers and 10 to others, so neither is believed.
      if (value > 255 || (position > first && text.charCodeAt(first) === ZERO)) return false;
    }
    if (position === first) return false;
    bytes[part] = value;
  }
  return position === text.length;
}

/** Moves the groups that follow "::" to the end, with zeros between. */
function fillGap(bytes: Uint8Array, gap: number, groups: number): void {
  bytes.copyWithin(16 - (groups - gap) * 2, gap * 2, groups * 2);
  bytes.fill(0, gap * 2, 16 - (groups - gap) * 2);
}

function readIPv6(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(16);
  let [groups, gap, position] = [0, -1, 0];
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return undefined;
    [gap, position] = [0, 2];
  }
  while (position < text.length) {
    if (groups === 8) return undefined;
    const start = position;
    let value = 0;
    for (; position < start + 4; position++) {
      const digit = hexValue(text.charCodeAt(position));
      if (digit < 0) break;
      value = value * 16 + digit;
    }
    if (position === start) return undefined;
    if (text.charCodeAt(position) === DOT) {
      if (groups > 6 || !readIPv4(text, start, bytes.subarray(groups * 2))) return undefined;
      groups += 2;
      break;
    }
    bytes[groups * 2] = value >> 8;
    bytes[groups * 2 + 1] = value & 255;
    groups++;
    if (position === text.length) break;
    if (text.charCodeAt(position++) !== COLON || position === text.length) return undefined;
    if (text.charCodeAt(position) === COLON) {
      if (gap >= 0) return undefined;
      gap = groups;
      position++;
    }
  }
  if (gap < 0) return groups === 8 ? bytes : undefined;
  if (groups === 8) return undefined;
  fillGap(bytes, gap, groups);
  return bytes;
}

/**
 * Reads one address: IPv4 as four decimal numbers without leading zeros, IPv6 in every form of RFC 4291 section 2.2,
 * with or without a zone (RFC 4007). No port, no brackets, no surrounding space. Undefined for anything else, also for
 * the short and octal forms of IPv4 ("127.1", "0x7f.1") that only the URL parser takes, and writes out.
 */
export function parseIP(text: string): IPAddress | undefined {
  if (text.length < 2 || text.length > CHARS_MAX) return undefined;
  if (!text.includes(":")) {
    const bytes = new Uint8Array(4);
    return readIPv4(text, 0, bytes) ? { version: 4, bytes, zone: null } : undefined;
  }
  const cut = text.indexOf("%");
  const zone = cut < 0 ? null : text.slice(cut + 1);
  if (zone !== null && !ZONE.test(zone)) return undefined;
  const bytes = readIPv6(cut < 0 ? text : text.slice(0, cut));
  return bytes && { version: 6, bytes, zone };
}

function parsePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : undefined;
}

/**
 * Reads an address that may carry a port, as in X-Forwarded-For and Forwarded: "192.0.2.1", "192.0.2.1:80",
 * "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:80". An IPv6 address with a port needs its brackets.
 */
export function parseIPEndpoint(text: string): IPEndpoint | undefined {
  const bracketed = text.startsWith("[");
  const end = bracketed ? text.indexOf("]") : text.indexOf(".") > 0 ? text.lastIndexOf(":") : -1;
  // "::ffff:192.0.2.1" has dots too, but its last colon is part of the address.
  const plain = !bracketed && (end < 0 || text.indexOf(":") !== end);
  if (plain || (bracketed && end < 0)) {
    const address = parseIP(text);
    return address && { address, port: null };
  }
  const address = parseIP(bracketed ? text.slice(1, end) : text.slice(0, end));
  if (!address || (bracketed && address.version !== 6)) return undefined;
  const rest = text.slice(bracketed ? end + 1 : end);
  if (rest === "") return { address, port: null };
  const port = rest.startsWith(":") ? parsePort(rest.slice(1)) : undefined;
  return port === undefined ? undefined : { address, port };
}

function isMapped(bytes: Uint8Array): boolean {
  for (let index = 0; index < 10; index++) if (bytes[index] !== 0) return false;
  return bytes.length === 16 && bytes[10] === 255 && bytes[11] === 255;
}

/** The IPv4 address inside "::ffff:a.b.c.d", as sockets that listen on both name their IPv4 peers; others unchanged. */
export function unmapIP(address: IPAddress): IPAddress {
  return isMapped(address.bytes) ? { version: 4, bytes: address.bytes.slice(12), zone: null } : address;
}

/** Sets every bit past the prefix to zero, in place. */
function clearHostBits(bytes: Uint8Array, prefix: number): void {
  const whole = prefix >> 3;
  if (whole >= bytes.length) return;
  bytes[whole] = (bytes[whole] ?? 0) & (0xff00 >> (prefix & 7));
  bytes.fill(0, whole + 1);
}

/**
 * The range of `prefix` bits that contains an address: networkOf(2001:db8::1, 64) is 2001:db8::/64.
 * @throws RangeError when the address has fewer bits.
 */
export function networkOf(address: IPAddress, prefix: number): IPRange {
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > address.bytes.length * 8) {
    throw new RangeError(`IPv${address.version} has no prefix of ${prefix} bits`);
  }
  const bytes = address.bytes.slice();
  clearHostBits(bytes, prefix);
  return { version: address.version, bytes, prefix };
}

/**
 * Reads "10.0.0.0/8" or one address, which is a range of itself. Bits past the prefix mean nothing: "10.1.2.3/8" is
 * 10.0.0.0/8. A range of mapped addresses ("::ffff:10.0.0.0/104") is the IPv4 range. No zones.
 */
export function parseIPRange(text: string): IPRange | undefined {
  const cut = text.indexOf("/");
  const address = parseIP(cut < 0 ? text : text.slice(0, cut));
  if (!address || address.zone !== null) return undefined;
  const bits = address.bytes.length * 8;
  const prefix_text = cut < 0 ? String(bits) : text.slice(cut + 1);
  const prefix = /^(0|[1-9]\d{0,2})$/.test(prefix_text) ? Number(prefix_text) : Number.NaN;
  if (!(prefix <= bits)) return undefined;
  const unmapped = prefix >= 96 ? unmapIP(address) : address;
  return networkOf(unmapped, unmapped.version === address.version ? prefix : prefix - 96);
}

/** Whether a range contains an address. A mapped address counts as its IPv4 address; zones do not count. */
export function isInIPRange(address: IPAddress, range: IPRange): boolean {
  const { bytes, version } = unmapIP(address);
  if (version !== range.version) return false;
  const whole = range.prefix >> 3;
  for (let index = 0; index < whole; index++) if (bytes[index] !== range.bytes[index]) return false;
  const mask = 0xff00 >> (range.prefix & 7);
  return (range.prefix & 7) === 0 || (((bytes[whole] ?? 0) ^ (range.bytes[whole] ?? 0)) & mask & 0xff) === 0;
}

/** Where the longest run of two zero groups or more starts and ends, the first of equals (RFC 5952 section 4.2.3). */
function longestZeros(groups: readonly number[]): readonly [number, number] {
  let [from, to] = [0, 0];
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0) end++;
    if (end - start > Math.max(1, to - from)) [from, to] = [start, end];
    start = Math.max(start, end);
  }
  return [from, to];
}

/** The one canonical text of an address (RFC 5952): lower case, longest zeros as "::", mapped IPv4 with dots. */
export function formatIP(address: IPAddress): string {
  const { bytes, zone } = address;
  if (address.version === 4) return bytes.join(".");
  const suffix = zone === null ? "" : `%${zone}`;
  if (isMapped(bytes)) return `::ffff:${bytes.slice(12).join(".")}${suffix}`;
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0));
  const [from, to] = longestZeros(groups);
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  return `${to > from ? `${hex(groups.slice(0, from))}::${hex(groups.slice(to))}` : hex(groups)}${suffix}`;
}

/** "10.0.0.0/8" */
export const formatIPRange = (range: IPRange): string =>
  `${formatIP({ version: range.version, bytes: range.bytes, zone: null })}/${range.prefix}`;
