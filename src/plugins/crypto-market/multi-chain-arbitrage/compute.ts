import { type Computed, type Draft, missing } from "intel-node";
import type { Scan, ScanBuy, ScanSell } from "../dex/stored-scan.ts";
import { type MismatchTripRow, type MultiChainData, ROWS, type TripRow } from "./schema.ts";

const BPS = 10_000;

export interface TripCosts {
  /** USDC spent and got back. */
  readonly paid: number;
  readonly got: number;
  /** Fee of the transfer that brings the cash back, basis points; null when not known. */
  readonly bridge_bps: number | null;
  /** Gas of both swaps, US dollars; null when not known. */
  readonly gas_usd: number | null;
}

/** What a round trip leaves, basis points, not rounded. The net is null when a cost is not known. */
export function getTripResult({ paid, got, bridge_bps, gas_usd }: TripCosts) {
  const gross_bps = (got / paid - 1) * BPS;
  const gas_bps = gas_usd === null ? null : (gas_usd / paid) * BPS;
  const net_bps = bridge_bps === null || gas_bps === null ? null : gross_bps - bridge_bps - gas_bps;
  return { gross_bps, bridge_bps, gas_bps, net_bps };
}

/** The fast transfer where there is one: chains that are final at once have only the standard one. */
function findBridge(scan: Scan, from: string, to: string): number | null {
  const fees = scan.bridges.find((one) => one.from === from && one.to === to);
  return fees?.fast_bps ?? fees?.standard_bps ?? null;
}

interface Trip {
  readonly buy: ScanBuy;
  readonly sell: ScanSell;
  readonly result: ReturnType<typeof getTripResult>;
}

/** Every trip whose two legs are on different chains, best net first, those with an unknown cost last. */
function listTrips(scan: Scan): readonly Trip[] {
  const trips = scan.sells.flatMap((sell): readonly Trip[] => {
    if (sell.chain === sell.from_chain) return [];
    const buy = scan.buys.find(({ chain, wrapper }) => chain === sell.from_chain && wrapper === sell.from_wrapper);
    if (!buy) return [];
    const bridge_bps = findBridge(scan, sell.chain, buy.chain);
    const gas_usd = buy.gas_usd === null || sell.gas_usd === null ? null : buy.gas_usd + sell.gas_usd;
    return [{ buy, sell, result: getTripResult({ paid: scan.notional_usd, got: sell.usdc_out, bridge_bps, gas_usd }) }];
  });
  const rank = ({ result }: Trip): number => result.net_bps ?? Number.NEGATIVE_INFINITY;
  return trips.sort((a, b) => {
    const [net_a, net_b] = [rank(a), rank(b)];
    return net_a === net_b ? b.result.gross_bps - a.result.gross_bps : net_b - net_a;
  });
}

const describeTrip = (scan: Scan, { buy, sell, result }: Trip): Draft<Omit<TripRow, "wrapper">> => ({
  asset: buy.asset,
  buy_chain: buy.chain,
  sell_chain: sell.chain,
  buy_price: scan.notional_usd / buy.amount,
  sell_price: sell.usdc_out / buy.amount,
  gross_bps: result.gross_bps,
  bridge_bps: result.bridge_bps ?? missing("Circle's fee is not known"),
  gas_bps: result.gas_bps ?? missing("gas is not known"),
  net_bps: result.net_bps ?? missing("a cost is not known"),
  fee_tier_buy: buy.fee_tier,
  fee_tier_sell: sell.fee_tier,
  bridge_seconds_est: null,
});

/** Every token's middle price and the cost of trading it to and fro; a pool table's prices without quotes. */
function describeChains(scan: Scan): Draft<MultiChainData["per_chain"]> {
  const quoted = scan.buys.flatMap((buy) => {
    const own = scan.sells.find(
      ({ chain, wrapper, from_chain, from_wrapper }) =>
        chain === buy.chain && from_chain === buy.chain && wrapper === buy.wrapper && from_wrapper === buy.wrapper,
    );
    if (!own) return [];
    const { asset, wrapper, chain, source } = buy;
    const [ask, bid] = [scan.notional_usd / buy.amount, own.usdc_out / buy.amount];
    const mid_usd = Math.sqrt(ask * bid);
    const round_trip_cost_bps = (1 - own.usdc_out / scan.notional_usd) * BPS;
    return [{ asset, wrapper, chain, mid_usd, round_trip_cost_bps, source }];
  });
  const priced = scan.mids.map(({ asset, wrapper, chain, mid_usd, source }) => ({
    asset,
    wrapper,
    chain,
    mid_usd,
    round_trip_cost_bps: missing("it stands in a table of pools that nobody quotes"),
    source,
  }));
  return [...quoted, ...priced].slice(0, 100);
}

/** While the product is asked for, its table is a minute old; one of more than two was made before. */
const TABLE_OLD_MS = 120_000;

function listWarnings(scan: Scan, now_ms: number): string[] {
  const age_ms = now_ms - scan.as_of_ms;
  return [
    ...(age_ms > TABLE_OLD_MS
      ? [`rows: the pools were read ${Math.floor(age_ms / 1000)} s ago and have moved since`]
      : []),
    ...scan.missing.map(({ chain }) => `per_chain: ${chain} could not be quoted and is left out of the trips`),
  ];
}

/** Round trips over chains after all costs, from one scan. Pure. */
export function computeMultiChain(
  scan: Scan,
  { now_ms = scan.as_of_ms, rows: shown = ROWS.max as number } = {},
): Computed<Draft<MultiChainData>> {
  const trips = listTrips(scan);
  const rows = trips
    .filter(({ buy, sell }) => buy.wrapper === sell.wrapper)
    .map((trip): Draft<TripRow> => ({ ...describeTrip(scan, trip), wrapper: trip.buy.wrapper }));
  const mismatched = trips
    .filter(({ buy, sell }) => buy.wrapper !== sell.wrapper)
    .map(
      (trip): Draft<MismatchTripRow> => ({
        ...describeTrip(scan, trip),
        buy_wrapper: trip.buy.wrapper,
        sell_wrapper: trip.sell.wrapper,
        wrapper_mismatch: true,
      }),
    );
  const best_net_bps = trips.find(({ buy, sell }) => buy.wrapper === sell.wrapper)?.result.net_bps ?? null;
  return {
    as_of_ms: scan.as_of_ms,
    warnings: listWarnings(scan, now_ms),
    data: {
      rows: rows.slice(0, shown),
      wrapper_mismatch_rows: mismatched.slice(0, shown),
      per_chain: describeChains(scan),
      best_net_bps: best_net_bps ?? missing("no trip has a known net"),
      executable: best_net_bps !== null && best_net_bps > 0,
      notional_usd: scan.notional_usd,
    },
  };
}
