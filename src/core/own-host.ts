import { isInIPRange, parseIP, parseIPRange, unmapIP } from "./ip-address.ts";

/** Loopback, private and unique-local ranges (RFC 1122, 1918, 4193), link-local (RFC 3927, 4291). */
const OWN_RANGES = ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"]
  .concat(["::1/128", "fc00::/7", "fe80::/10"])
  .flatMap((text) => parseIPRange(text) ?? []);
/** Suffixes that no public name has (RFC 6761, 6762, 8375; ICANN's .internal). */
const OWN_NAMES = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/**
 * Whether a host is on this machine or the operator's own network, by its spelling alone: nothing is resolved.
 * @param host as in a URL; a name without a dot is a neighbour's, such as a container's.
 */
export function isOwnHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  const address = parseIP(name);
  if (address) return OWN_RANGES.some((range) => isInIPRange(unmapIP(address), range));
  return !name.includes(".") || OWN_NAMES.test(name);
}
