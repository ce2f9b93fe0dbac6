import {
  type ContractReader,
  compoundRate,
  encodeArgument,
  type ProtocolView,
  type RewardFlow,
  type Rounds,
  toAddress,
  toNumber,
} from "./protocol.ts";

const RAY = 1e27;
/** getReserveData(address), totalSupply(), getRewardsByAsset(address), getRewardsData(address,address). */
export const SELECTORS = {
  reserve: "0x35ea6a75",
  supply: "0x18160ddd",
  rewards: "0x6657732f",
  reward: "0x7eff4ba8",
} as const;
/** Of the reserve's configuration (Aave v3 DataTypes.sol): bits, and the supply cap in whole tokens. */
const BITS = { decimals: 48n, frozen: 57n, paused: 60n, supply_cap: 116n } as const;
const [DECIMALS_MASK, CAP_MASK] = [0xffn, (1n << 36n) - 1n];
/** Words of ReserveDataLegacy. */
const [CONFIG, RATE, SUPPLIED_TOKEN, DEBT_TOKEN] = [0, 2, 8, 10] as const;
const REWARD_TOKENS_MAX = 6;

const isSet = (flags: bigint, bit: bigint): boolean => ((flags >> bit) & 1n) === 1n;
const toPercent = (part: bigint, whole: bigint): number => Number((part * 1_000_000n) / whole) / 10_000;

/** The tokens a controller pays for holding a market's token; null where it did not say, or says more than is read. */
function listRewardTokens([, second]: Rounds): readonly string[] | null {
  const [offset, count, ...words] = second?.[2] ?? [];
  if (toNumber(offset) !== 32n || toNumber(count) !== BigInt(words.length) || words.length > REWARD_TOKENS_MAX) {
    return null;
  }
  const tokens = words.flatMap((word) => toAddress(word) ?? []);
  return tokens.length === words.length ? tokens : null;
}

function listViews(rounds: Rounds, controller: string): readonly ProtocolView[] {
  const [[reserve = null] = []] = rounds;
  const [supplied, debt] = [SUPPLIED_TOKEN, DEBT_TOKEN].map((at) => toAddress(reserve?.[at]));
  if (!supplied || !debt) return [];
  if (rounds.length === 1) {
    return [
      ...[supplied, debt].map((to) => ({ to, data: SELECTORS.supply })),
      { to: controller, data: SELECTORS.rewards + encodeArgument(supplied) },
    ];
  }
  return (listRewardTokens(rounds) ?? []).map((token) => ({
    to: controller,
    data: SELECTORS.reward + encodeArgument(supplied) + encodeArgument(token),
  }));
}

/** Emissions a second and their end, of RewardsData: index, emission, last update, end. */
function readRewards(rounds: Rounds): readonly RewardFlow[] | null {
  const flows = listRewardTokens(rounds)?.map((token, index): RewardFlow | null => {
    const [, per_second, , end] = (rounds[2]?.[index] ?? []).map(toNumber);
    if (per_second === undefined || per_second === null || end === undefined || end === null) return null;
    const ends_at_ms = Number(end) * 1_000;
    return Number.isSafeInteger(ends_at_ms) ? { token, per_second: per_second.toString(), ends_at_ms } : null;
  });
  if (flows === undefined) return null;
  const told = flows.filter((flow) => flow !== null);
  return told.length === flows.length ? told.filter(({ per_second }) => per_second !== "0") : null;
}

function readMarket(rounds: Rounds) {
  const [[reserve = null] = [], [supplied_words, debt_words] = []] = rounds;
  const [flags, rate] = [toNumber(reserve?.[CONFIG]), toNumber(reserve?.[RATE])];
  if (!reserve || reserve.length <= DEBT_TOKEN || flags === null || rate === null) return null;
  const [supplied, debt] = [toNumber(supplied_words?.[0]), toNumber(debt_words?.[0])];
  const cap = ((flags >> BITS.supply_cap) & CAP_MASK) * 10n ** ((flags >> BITS.decimals) & DECIMALS_MASK);
  return {
    rate_apy_pct: compoundRate(Number(rate) / RAY),
    share_price: null,
    is_paused: isSet(flags, BITS.paused) || isSet(flags, BITS.frozen),
    utilization_pct: supplied === null || debt === null || supplied === 0n ? null : toPercent(debt, supplied),
    cap_used_pct: supplied === null || cap === 0n ? null : toPercent(supplied, cap),
    locked: supplied?.toString() ?? null,
    rewards: readRewards(rounds),
  };
}

/** Lending markets of a pool that is Aave's v3 or a fork of it, token by token; `controller` pays its rewards. */
export const createAaveReaders = (
  {
    controller,
    ...market
  }: Pick<ContractReader, "project" | "chain"> & { readonly pool: string; readonly controller: string },
  assets: Readonly<Record<string, string>>,
): readonly ContractReader[] =>
  Object.entries(assets).map(([symbol, asset]) => ({
    project: market.project,
    chain: market.chain,
    symbol,
    contract: market.pool,
    is_stable: symbol !== "WETH",
    underlying: symbol,
    decimals: symbol === "WETH" ? 18 : 6,
    views: [{ to: market.pool, data: SELECTORS.reserve + encodeArgument(asset) }],
    more: (rounds) => listViews(rounds, controller),
    read: readMarket,
  }));
