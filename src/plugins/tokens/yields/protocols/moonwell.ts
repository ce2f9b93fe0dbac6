import {
  type ContractReader,
  compoundRate,
  encodeArgument,
  NOTHING,
  type RewardFlow,
  toAddress,
  toNumber,
  type ViewWords,
  YEAR_SECONDS,
} from "../protocol.ts";

const WAD = 1e18;
/**
 * supplyRatePerTimestamp(), getCash(), totalBorrows(), totalReserves() of a market, mintGuardianPaused(address) and
 * supplyCaps(address) of the comptroller, getAllMarketConfigs(address) of the distributor.
 */
const OF_MARKET = { rate: "0xd3bd2c72", cash: "0x3b1d21a2", lent: "0x47bd3718", reserves: "0x8f840ddd" } as const;
const [PAUSED, CAP, CONFIGS] = ["0x731f0c2b", "0x02c3bcbb", "0x7e218f90"] as const;
/** Moonwell's contracts on Base (moonwell-fi/moonwell-contracts-v2): UNITROLLER, MRD_PROXY and two markets. */
const COMPTROLLER = "0xfBb21d0380beE3312B33c4353c8936a0F13EF26C";
const DISTRIBUTOR = "0xe9005b078701e2A0948D2EaC43010D35870Ad9d2";
const MARKETS = [
  { symbol: "USDC", contract: "0xEdc817A28E8B93B03976FBd4a3dDBc9f7D176c22", decimals: 6, is_stable: true },
  { symbol: "WETH", contract: "0x628ff693426583D9a7FB391E54366292F509D457", decimals: 18, is_stable: false },
] as const;
/** Words of a MarketConfig: the token it pays in is the second, its end the third, what suppliers get the eighth. */
const [CONFIG_WORDS, TOKEN, END, PER_SECOND] = [9, 1, 2, 7] as const;
const TOKENS_MAX = 6;

/** Rewards of suppliers, token by token, each until its end; null where the distributor did not say. */
function readRewards(words: ViewWords | undefined): readonly RewardFlow[] | null {
  const [offset, count, ...rest] = words ?? [];
  const n = Number(toNumber(count) ?? -1);
  if (toNumber(offset) !== 32n || n < 0 || n > TOKENS_MAX || rest.length !== n * CONFIG_WORDS) return null;
  const flows = Array.from({ length: n }, (_, index): RewardFlow | null => {
    const config = rest.slice(index * CONFIG_WORDS, (index + 1) * CONFIG_WORDS);
    const [token, per_second] = [toAddress(config[TOKEN]), toNumber(config[PER_SECOND])];
    const ends_at_ms = Number(toNumber(config[END]) ?? 0n) * 1_000;
    if (!token || per_second === null || !Number.isSafeInteger(ends_at_ms)) return null;
    return { token, per_second: per_second.toString(), ends_at_ms };
  });
  const told = flows.filter((flow) => flow !== null);
  return told.length === flows.length ? told.filter(({ per_second }) => per_second !== "0") : null;
}

const toPercent = (part: bigint, whole: bigint): number => Number((part * 1_000_000n) / whole) / 10_000;

export const readers = MARKETS.map(
  (market): ContractReader => ({
    ...market,
    project: "moonwell",
    chain: "base",
    underlying: market.symbol,
    views: [
      ...Object.values(OF_MARKET).map((data) => ({ to: market.contract, data })),
      ...[PAUSED, CAP].map((data) => ({ to: COMPTROLLER, data: data + encodeArgument(market.contract) })),
      { to: DISTRIBUTOR, data: CONFIGS + encodeArgument(market.contract) },
    ],
    read([first = []]) {
      const [rate, cash, lent, reserves, paused, cap] = first.slice(0, 6).map((words) => toNumber(words?.[0]));
      if (typeof rate !== "bigint") return null;
      const known = typeof cash === "bigint" && typeof lent === "bigint" && typeof reserves === "bigint";
      const supplied = known ? cash + lent - reserves : null;
      return {
        ...NOTHING,
        rate_apy_pct: compoundRate((Number(rate) / WAD) * YEAR_SECONDS),
        is_paused: typeof paused === "bigint" ? paused !== 0n : null,
        utilization_pct: supplied && typeof lent === "bigint" ? toPercent(lent, supplied) : null,
        cap_used_pct: supplied && cap ? toPercent(supplied, cap) : null,
        locked: supplied?.toString() ?? null,
        rewards: readRewards(first[6]),
      };
    },
  }),
);
