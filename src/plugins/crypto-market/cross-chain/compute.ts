import type { Computed } from "../../../catalog/product.ts";
import { renderTime } from "../../../core/clock.ts";
import { roundOrNull, roundPrice, roundTo } from "../../../core/rounding.ts";
import { POOL_TABLE_IDS } from "../shared/dex/pool-tables.ts";
import type { CrossChainInputs, TokenReading } from "./fetch.ts";
import { ROUTE_USDC, type RouteReading } from "./route.ts";
import type { CrossChainBase, CrossChainData, Route } from "./schema.ts";
import { findSpread, type Spread } from "./spread.ts";

const BPS = 10_000;
const DECIMALS = 2;
const USDC_DECIMALS = 6;
const USD_DECIMALS = 4;

/** How much dearer a larger purchase is than one of 1,000 USDC, basis points. */
export function getImpact(asks: readonly (number | null)[], size: number): number | null {
  const [first, at_size] = [asks[0] ?? null, asks[size] ?? null];
  return first === null || at_size === null ? null : roundTo((at_size / first - 1) * BPS, DECIMALS);
}

const describeToken = (token: TokenReading): CrossChainData["chains"][number] => ({
  chain: token.chain,
  wrapper: token.wrapper,
  price_usd: roundPrice(token.price_usd),
  impact_bps_10k: getImpact(token.asks, 1),
  impact_bps_100k: getImpact(token.asks, 2),
  liquidity_usd: roundOrNull(token.liquidity_usd, DECIMALS),
  source: token.source,
});

const describeRoute = (route: RouteReading, quoted_at_ms: number): Route => ({
  provider: route.provider,
  tool: route.tool,
  from_chain: route.from,
  to_chain: route.to,
  amount_in_usdc: ROUTE_USDC,
  amount_out: roundTo(route.amount_out, USDC_DECIMALS),
  amount_out_min: roundOrNull(route.amount_out_min, USDC_DECIMALS),
  fees_usd: roundTo(route.fees_usd, USD_DECIMALS),
  gas_usd: roundTo(route.gas_usd, USD_DECIMALS),
  duration_s: route.duration_s,
  cost_bps: roundTo(route.cost_bps, DECIMALS),
  quoted_at: renderTime(quoted_at_ms),
});

/** Whether the spread pays for the way alone, not for the swaps; null when one of them is not known. */
export const isBreakEven = (spread_bps: number | null, cost_bps: number | null): boolean | null =>
  spread_bps === null || cost_bps === null ? null : spread_bps > cost_bps;

/** Slots of Solana state no time: what Jupiter quotes is dated by the call. */
const hasTime = ({ at_ms, source }: TokenReading): boolean => at_ms !== null && source !== "jupiter";

function listWarnings(inputs: CrossChainInputs, base: CrossChainBase, spread: Spread | null): string[] {
  const tables = inputs.tokens.filter(({ source }) => POOL_TABLE_IDS.some((id) => id === source));
  const { route } = inputs;
  const is_estimate = route?.ok === true && route.value.provider === "circle_cctp";
  const lines: (readonly [boolean, string])[] = [
    ...inputs.missing.map((chain) => [true, `chains: not every token on ${chain} could be quoted`] as const),
    ...tables.map(({ chain }) => [true, `chains: the price on ${chain} is a pool table's, not a quote`] as const),
    [
      inputs.tokens.length > 0 && !inputs.tokens.some(hasTime),
      "chains: no source of these prices states a time; they are taken to be as new as the call",
    ],
    [base !== "USDC" && spread === null, "spread_bps: no token has a price on two chains"],
    [base !== "USDC" && spread === null, "route: there is no spread to move value for"],
    [route?.ok === false, "route: no bridge quote could be had, and Circle's transfer could not be estimated"],
    [is_estimate, "route: no bridge quote could be had; this is an estimate from Circle's fee and gas"],
    [inputs.fees.length === 0, "cctp: Circle's fees could not be read"],
    [
      isBreakEven(spread?.bps ?? null, route?.ok ? route.value.cost_bps : null) === true,
      "break_even: fees and price impact of the swaps at both ends are not counted; /multi-chain-arbitrage counts them",
    ],
  ];
  return lines.flatMap(([applies, text]) => (applies ? [text] : []));
}

/** Prices over chains and what moving value between them costs. Pure. */
export function computeCrossChain(inputs: CrossChainInputs, base: CrossChainBase): Computed<CrossChainData> {
  const spread = findSpread(inputs.tokens);
  const route = inputs.route?.ok ? inputs.route.value : null;
  const times = inputs.tokens.flatMap(({ at_ms }) => at_ms ?? []);
  return {
    // Where no source states a time, the time of the calls stands for it. A chain's clock may run ahead of ours.
    as_of_ms: Math.min(inputs.read_at_ms, times.length > 0 ? Math.max(...times) : inputs.read_at_ms),
    warnings: listWarnings(inputs, base, spread),
    data: {
      pair: `${base}/USDC`,
      chains: inputs.tokens.map(describeToken),
      spread_bps: spread && roundTo(spread.bps, DECIMALS),
      spread_wrapper: spread?.wrapper ?? null,
      cheapest_chain: spread?.cheapest ?? null,
      dearest_chain: spread?.dearest ?? null,
      route: route && describeRoute(route, inputs.read_at_ms),
      break_even: isBreakEven(spread?.bps ?? null, route?.cost_bps ?? null),
      cctp: inputs.fees.map(({ from, to, fast_bps, standard_bps }) => ({ from, to, fast_bps, standard_bps })),
    },
  };
}
