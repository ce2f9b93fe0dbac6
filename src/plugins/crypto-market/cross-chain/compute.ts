import { type Computed, type Draft, missing, renderTime } from "intel-node";
import { POOL_TABLE_IDS } from "../dex/pool-tables.ts";
import type { CrossChainInputs, TokenReading } from "./fetch.ts";
import { ROUTE_USDC, type RouteReading } from "./route.ts";
import type { CrossChainBase, CrossChainData, TransferRoute } from "./schema.ts";
import { findSpread, listLive } from "./spread.ts";

const BPS = 10_000;
const UNROUTED = "no bridge quote could be had, and Circle's transfer could not be estimated";

/** How much dearer a larger purchase is than one of 1,000 USDC, basis points. */
export function getImpact(asks: readonly (number | null)[], size: number): number | null {
  const [first, at_size] = [asks[0] ?? null, asks[size] ?? null];
  return first === null || at_size === null ? null : (at_size / first - 1) * BPS;
}

const describeToken = (token: TokenReading, read_at_ms: number): CrossChainData["chains"][number] => ({
  chain: token.chain,
  wrapper: token.wrapper,
  price_usd: token.price_usd,
  impact_bps_10k: getImpact(token.asks, 1),
  impact_bps_100k: getImpact(token.asks, 2),
  age_s: token.at_ms === null ? null : Math.max(0, (read_at_ms - token.at_ms) / 1_000),
  liquidity_usd: token.liquidity_usd,
  source: token.source,
});

const describeRoute = (route: RouteReading, quoted_at_ms: number): TransferRoute => ({
  provider: route.provider,
  tool: route.tool,
  from_chain: route.from,
  to_chain: route.to,
  amount_in_usdc: ROUTE_USDC,
  amount_out_usdc: route.amount_out,
  amount_out_min_usdc: route.amount_out_min,
  fees_usd: route.fees_usd,
  gas_usd: route.gas_usd,
  duration_s: route.duration_s,
  cost_bps: route.cost_bps,
  quoted_at: renderTime(quoted_at_ms),
});

/**
 * What buying 10,000 USDC of a token on one chain and selling as much on the other loses against the two middle prices:
 * pool fees and price impact, basis points. Null where one of the two is not quoted.
 */
export function getSwapCost(cheapest: TokenReading | undefined, dearest: TokenReading | undefined): number | null {
  const [ask, bid] = [cheapest?.asks[1] ?? null, dearest?.bid_10k ?? null];
  if (!cheapest || !dearest || ask === null || bid === null) return null;
  return (ask / cheapest.price_usd - 1 + 1 - bid / dearest.price_usd) * BPS;
}

/** What is left of a spread; every figure in basis points. */
export interface Net {
  readonly swap_cost_bps: number | null;
  /** Null when a cost is not known. */
  readonly net_bps: number | null;
  /** Null when the spread is not known, or a cost that decides. */
  readonly break_even: boolean | null;
}

/** A spread less the way and the swaps at both ends. Known costs alone may show that nothing is left. */
export function getNet(spread_bps: number | null, route_bps: number | null, swap_cost_bps: number | null): Net {
  if (spread_bps === null) return { swap_cost_bps, net_bps: null, break_even: null };
  const net_bps = route_bps === null || swap_cost_bps === null ? null : spread_bps - route_bps - swap_cost_bps;
  const at_most_bps = spread_bps - (route_bps ?? 0) - (swap_cost_bps ?? 0);
  return { swap_cost_bps, net_bps, break_even: at_most_bps <= 0 ? false : net_bps === null ? null : true };
}

/** Quotes of Solana state no time: they are dated by the call. */
const hasTime = ({ at_ms, chain }: TokenReading): boolean => at_ms !== null && chain !== "solana";

const listOld = ({ tokens, read_at_ms }: CrossChainInputs): readonly TokenReading[] => {
  const live = new Set(listLive(tokens, read_at_ms));
  return tokens.filter((token) => !live.has(token));
};

function listWarnings(inputs: CrossChainInputs, net: Net): string[] {
  const tables = inputs.tokens.filter(({ source }) => POOL_TABLE_IDS.some((id) => id === source));
  const { route } = inputs;
  const is_estimate = route?.ok === true && route.value.provider === "circle_cctp";
  const lines: (readonly [boolean, string])[] = [
    ...inputs.missing.map((chain) => [true, `chains: not every token on ${chain} could be quoted`] as const),
    ...listOld(inputs).map(
      ({ chain, wrapper }) =>
        [
          true,
          `spread_bps: the price of ${wrapper} on ${chain} is over 15 minutes old and counts in no spread`,
        ] as const,
    ),
    ...tables.map(({ chain }) => [true, `chains: the price on ${chain} is a pool table's, not a quote`] as const),
    [
      inputs.tokens.length > 0 && !inputs.tokens.some(hasTime),
      "chains: no source of these prices states a time; they are taken to be as new as the call",
    ],
    [is_estimate, "route: no bridge quote could be had; this is an estimate from Circle's fee and gas"],
    [inputs.fees.length === 0, "cctp: Circle's fees could not be read"],
    [net.break_even === true, "break_even: gas of the two swaps is not counted; /multi-chain-arbitrage counts it"],
  ];
  return lines.flatMap(([applies, text]) => (applies ? [text] : []));
}

/** Prices over chains and what moving value between them costs. Pure. */
export function computeCrossChain(inputs: CrossChainInputs, base: CrossChainBase): Computed<Draft<CrossChainData>> {
  const live = listLive(inputs.tokens, inputs.read_at_ms);
  const spread = findSpread(live);
  const route = inputs.route?.ok ? inputs.route.value : null;
  const tokenOn = (chain: TokenReading["chain"] | undefined) =>
    live.find((token) => token.chain === chain && token.wrapper === spread?.wrapper);
  const swaps_bps = getSwapCost(tokenOn(spread?.cheapest), tokenOn(spread?.dearest));
  const net = getNet(spread?.bps ?? null, route?.cost_bps ?? null, swaps_bps);
  const times = inputs.tokens.flatMap(({ at_ms }) => at_ms ?? []);
  const unspread = base === "USDC" ? "USDC/USDC compares bridges only" : "no token has a price on two chains";
  const unnetted = [
    ...(net.swap_cost_bps === null ? ["what the swaps cost is not known"] : []),
    ...(route === null ? ["what the way costs is not known"] : []),
  ].join(", ");
  const unless = <T>(value: T | null, why: string) => value ?? missing(spread === null ? unspread : why);
  return {
    // Without a stated time of any source, the time of the calls is used. A chain's clock can run ahead of ours.
    as_of_ms: Math.min(inputs.read_at_ms, times.length > 0 ? Math.max(...times) : inputs.read_at_ms),
    warnings: listWarnings(inputs, net),
    data: {
      pair: `${base}/USDC`,
      chains: inputs.tokens.map((token) => describeToken(token, inputs.read_at_ms)),
      spread_bps: spread?.bps ?? missing(unspread),
      spread_wrapper: spread?.wrapper ?? missing(unspread),
      cheapest_chain: spread?.cheapest ?? missing(unspread),
      dearest_chain: spread?.dearest ?? missing(unspread),
      route:
        route === null
          ? missing(inputs.route === null ? "there is no spread to move value for" : UNROUTED)
          : describeRoute(route, inputs.read_at_ms),
      swap_cost_bps: unless(net.swap_cost_bps, "nobody quotes 10,000 USDC of it at both ends"),
      net_bps: unless(net.net_bps, unnetted),
      break_even: unless(net.break_even, unnetted),
      cctp: inputs.fees.map(({ from, to, fast_bps, standard_bps }) => ({ from, to, fast_bps, standard_bps })),
    },
  };
}
