import type { TokenProfile } from "./profile.ts";

/** Supplies move between two blocks; by more than this part of them they are two stories. */
const SUPPLY_RATIO_MAX = 0.01;

const differsInSupply = (one: bigint | null, other: bigint | null): boolean => {
  if (one === null || other === null) return one !== other;
  const [low, high] = one < other ? [Number(one), Number(other)] : [Number(other), Number(one)];
  return high > low * (1 + SUPPLY_RATIO_MAX);
};

/** What two addresses of the token's chain say differently of the same token, by name. */
function listDisagreements({ mint, mint_again, powers, powers_again }: TokenProfile): readonly string[] {
  if (mint?.ok && mint_again?.ok) {
    const [one, other] = [mint.value, mint_again.value];
    if (one.kind !== "mint" || other.kind !== "mint") return one.kind === other.kind ? [] : ["the mint itself"];
    const { supply, ...first } = one.powers;
    const { supply: second_supply, ...second } = other.powers;
    const differing = (Object.keys(first) as (keyof typeof first)[]).filter((name) => first[name] !== second[name]);
    return [...differing, ...(differsInSupply(supply, second_supply) ? ["supply"] : [])];
  }
  if (!powers?.ok || !powers_again?.ok) return [];
  const [one, other] = [powers.value, powers_again.value];
  const names = ["has_code", "owner", "is_proxy", "proxy_admin", "decimals"] as const;
  const differing = names.filter((name) => one[name] !== other[name]);
  return [...differing, ...(differsInSupply(one.supply, other.supply) ? ["supply"] : [])];
}

/** Shown with a token's facts: an address that lies or lags is named before its word is trusted. */
export function warnOfDisagreement(profile: TokenProfile): readonly string[] {
  const { mint_again, powers_again } = profile;
  const names = listDisagreements(profile);
  if (names.length > 0) {
    return [`authorities: two nodes of the chain disagree on ${names.join(", ")}; the worse of their words counts`];
  }
  const is_silent = mint_again?.ok === false || powers_again?.ok === false;
  return is_silent ? ["authorities: the chain's second node did not answer, so the first stands alone"] : [];
}
