import { formatIP, formatIPRange, isInIPRange, networkOf, parseIP, parseIPRange, unmapIP } from "./ip-address.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"].flatMap((text) => parseIPRange(text) ?? []);
/** Whether an address is this machine's own. */
export function isLoopback(ip: string): boolean {
  const address = parseIP(ip);
  return address !== undefined && LOOPBACK.some((range) => isInIPRange(address, range));
}

/**
 * The network that one customer holds: an IPv4 address, or an IPv6 prefix that is not shared with other customers.
 * @param bits of IPv6: one line holds at least a /64, one customer usually a /56.
 */
export function customerNetwork(ip: string, bits: 56 | 64): string {
  if (!ip.includes(":")) return ip;
  const address = parseIP(ip);
  if (!address) return ip;
  const plain = unmapIP(address);
  return plain.version === 4 ? formatIP(plain) : formatIPRange(networkOf(plain, bits));
}
