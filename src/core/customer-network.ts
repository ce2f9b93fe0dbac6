import { formatIP, formatIPRange, isInIPRange, networkOf, parseIP, parseIPRange, unmapIP } from "./ip-address.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"].flatMap((text) => parseIPRange(text) ?? []);
/** Whether an address is this machine's own. */
export function isLoopback(ip: string): boolean {
  const address = parseIP(ip);
  return address !== undefined && LOOPBACK.some((range) => isInIPRange(address, range));
}

/**
 * The network one customer holds: an IPv4 address, or the prefix of an IPv6 address that nobody else shares.
 * @param bits of IPv6: 64 is what one line holds at least, 56 what one customer usually does.
 */
export function customerNetwork(ip: string, bits: 56 | 64): string {
  if (!ip.includes(":")) return ip;
  const address = parseIP(ip);
  if (!address) return ip;
  const plain = unmapIP(address);
  return plain.version === 4 ? formatIP(plain) : formatIPRange(networkOf(plain, bits));
}
