import { type ContractReader, compoundRate, encodeArgument, toNumber, type View, type Words } from "./protocol.ts";

const RAY = 1e27;
/** getReserveData(address) and totalSupply(). */
export const RESERVE_DATA = "0x35ea6a75";
export const TOTAL_SUPPLY = "0x18160ddd";
/** Of the reserve's configuration (Aave v3 ReserveConfiguration.sol): bits, and the supply cap in whole tokens. */
const BITS = { decimals: 48n, frozen: 57n, paused: 60n, supply_cap: 116n } as const;
const [DECIMALS_MASK, CAP_MASK] = [0xffn, (1n << 36n) - 1n];
const [CONFIG, RATE, SUPPLIED_TOKEN, DEBT_TOKEN] = [0, 2, 8, 10] as const;

const isSet = (flags: bigint, bit: bigint): boolean => ((flags >> bit) & 1n) === 1n;
const toPercent = (part: bigint, whole: bigint): number => Number((part * 1_000_000n) / whole) / 10_000;

function listTokens(reserve: Words): readonly View[] {
  if (!reserve || reserve.length <= DEBT_TOKEN) return [];
  return [SUPPLIED_TOKEN, DEBT_TOKEN].map((at) => ({ to: `0x${(reserve[at] ?? "").slice(24)}`, data: TOTAL_SUPPLY }));
}

function readReserve(reserve: Words, [supplied_words, debt_words]: readonly Words[]) {
  const flags = toNumber(reserve?.[CONFIG]);
  const rate = toNumber(reserve?.[RATE]);
  if (!reserve || reserve.length <= DEBT_TOKEN || flags === null || rate === null) return null;
  const [supplied, debt] = [toNumber(supplied_words?.[0]), toNumber(debt_words?.[0])];
  const cap = ((flags >> BITS.supply_cap) & CAP_MASK) * 10n ** ((flags >> BITS.decimals) & DECIMALS_MASK);
  return {
    ...{ rate_apy_pct: compoundRate(Number(rate) / RAY), share_price: null },
    is_paused: isSet(flags, BITS.paused) || isSet(flags, BITS.frozen),
    utilization_pct: supplied === null || debt === null || supplied === 0n ? null : toPercent(debt, supplied),
    cap_used_pct: supplied === null || cap === 0n ? null : toPercent(supplied, cap),
  };
}

/** Lending markets of a pool that is Aave's v3 or a fork of it, token by token. */
export const createAaveReaders = (
  {
    project,
    chain,
    pool,
  }: { readonly project: string; readonly chain: ContractReader["chain"]; readonly pool: string },
  assets: Readonly<Record<string, string>>,
): readonly ContractReader[] =>
  Object.entries(assets).map(([symbol, asset]) => ({
    ...{ project, chain, symbol, contract: pool, is_stable: symbol !== "WETH" },
    views: [{ to: pool, data: RESERVE_DATA + encodeArgument(asset) }],
    more: ([reserve = null]) => listTokens(reserve),
    read: ([reserve = null], more) => readReserve(reserve, more),
  }));
