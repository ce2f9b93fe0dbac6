import type { ContractReader, Rounds } from "../protocol.ts";
import { compoundRate, encodeArgument, NOTHING, toAddress, toNumber, YEAR_SECONDS } from "../protocol.ts";

const [WAD, FACTOR_SCALE] = [1e18, 10n ** 18n];
/**
 * getUtilization(), isSupplyPaused(), totalSupply(), baseTrackingSupplySpeed(), baseMinForRewards(),
 * trackingIndexScale(), baseAccrualScale() of a market, getSupplyRate(uint256) of it, and rewardConfig(address).
 */
const SELECTORS = {
  utilization: "0x7eb71131",
  paused: "0x0bc47ad1",
  supply: "0x18160ddd",
  speed: "0x189bb2f1",
  supply_min: "0x9364e18a",
  index_scale: "0xaba7f15e",
  accrual_scale: "0xa20ed596",
  rate: "0xd955759d",
  reward: "0x2289b6b8",
} as const;
const { rate: RATE, reward: REWARD, ...OF_MARKET } = SELECTORS;
const REWARDS = {
  ethereum: "0x1B0e765F6224C21223AeA2af16c1C46E38885a40",
  base: "0x123964802e6ABabBE1Bc9547D72Ef1B69B00A6b1",
  arbitrum: "0x88730d254A2f7e6AC8388c3198aFd694bA9f7fae",
} as const;
/** Markets by what they lend; a chain's rewards are paid by one contract (compound-finance/comet, deployments). */
const COMETS: readonly (readonly [chain: keyof typeof REWARDS, market: string, symbol: "USDC" | "WETH"])[] = [
  ["ethereum", "0xc3d688B66703497DAA19211EEdff47f25384cdc3", "USDC"],
  ["base", "0xb125E6687d4313864e53df431d5425969c15Eb2F", "USDC"],
  ["arbitrum", "0x9c4ec768c28520B50860ea7a15bd7213a9fF58bf", "USDC"],
  ["base", "0x46e6b214b524310239732D51387075E0e70970bf", "WETH"],
];

/** Tokens all suppliers get a second, as CometRewards scales what the market accrues; older ones have no multiplier. */
function readRewards([first = []]: Rounds) {
  const [, , supply, speed, supply_min, index_scale, accrual_scale, config] = first;
  const token = toAddress(config?.[0]);
  const [factor, is_up, times] = [toNumber(config?.[1]), toNumber(config?.[2]), toNumber(config?.[3])];
  const read = [supply, speed, supply_min, index_scale, accrual_scale].map((words) => toNumber(words?.[0]));
  const [supplied, fast, least, per, accrual] = read.flatMap((one) => one ?? []);
  if (read.includes(null) || supplied === undefined || fast === undefined || least === undefined) return null;
  // Below a least supply the market pays none.
  if (fast === 0n || supplied < least) return [];
  if (!token || !per || !accrual || !factor || is_up === null) return null;
  const accrued = fast * accrual * (times ?? FACTOR_SCALE);
  const paid = (is_up === 1n ? accrued * factor : accrued / factor) / per / FACTOR_SCALE;
  return [{ token, per_second: paid.toString(), ends_at_ms: null }];
}

export const readers = COMETS.map(
  ([chain, contract, symbol]): ContractReader => ({
    project: "compound-v3",
    symbol,
    chain,
    contract,
    underlying: symbol,
    ...(symbol === "USDC" ? { is_stable: true, decimals: 6 } : { is_stable: false, decimals: 18 }),
    views: [
      ...Object.values(OF_MARKET).map((data) => ({ to: contract, data })),
      { to: REWARDS[chain], data: REWARD + encodeArgument(contract) },
    ],
    // The rate is a function of the utilisation, which has to be known first.
    more: ([first = [], ...later]) =>
      first[0]?.[0] && later.length === 0 ? [{ to: contract, data: RATE + first[0][0] }] : [],
    read(rounds) {
      const [[used, paused_words, supply] = [null, null, null], [rate_words] = [null]] = rounds;
      const [rate, utilization] = [toNumber(rate_words?.[0]), toNumber(used?.[0])];
      if (rate === null || utilization === null) return null;
      const paused = toNumber(paused_words?.[0]);
      return {
        ...NOTHING,
        rate_apy_pct: compoundRate((Number(rate) / WAD) * YEAR_SECONDS),
        is_paused: paused === null ? null : paused !== 0n,
        utilization_pct: (Number(utilization) / WAD) * 100,
        locked: toNumber(supply?.[0])?.toString() ?? null,
        rewards: readRewards(rounds),
      };
    },
  }),
);
