/** getThreshold() and getOwners() of Safe's contracts, which most multisigs of the EVM are. */
export const GET_THRESHOLD = "0xe75235b8";
export const GET_OWNERS = "0xa0e67e2b";

/** How many of how many owners have to sign. */
export interface Multisig {
  readonly threshold: number;
  readonly owners: number;
}

const OWNERS_MAX = 100;

/** Reads what a contract returns for both; null where it is no multisig. An account without code says nothing. */
export function readMultisig(
  threshold: readonly string[] | null | undefined,
  owners: readonly string[] | null | undefined,
): Multisig | null {
  const [least, ...more] = threshold ?? [];
  const [offset, length, ...addresses] = owners ?? [];
  if (least === undefined || more.length > 0 || offset === undefined || length === undefined) return null;
  const [needed, count] = [BigInt(`0x${least}`), BigInt(`0x${length}`)];
  const is_list = BigInt(`0x${offset}`) === 32n && count === BigInt(addresses.length) && count <= OWNERS_MAX;
  const are_addresses = addresses.every((word) => /^0{24}[0-9a-f]{40}$/.test(word));
  if (!is_list || !are_addresses || needed < 1n || needed > count) return null;
  return { threshold: Number(needed), owners: addresses.length };
}
