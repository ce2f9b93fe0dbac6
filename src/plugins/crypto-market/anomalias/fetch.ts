import { type FetchContext, type Outcome, outcomeOf } from "intel-node";
import {
  type FundingByVenue,
  fetchPerpetuals,
  fetchPredictedFundings,
  type Perpetual,
} from "intel-node/providers/hyperliquid/perpetuals";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";
import type { PythPrice } from "intel-node/providers/pyth-price";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { PYTH_FEEDS } from "intel-node/providers/solana-rpc/pyth-feeds";
import type { BarSeries } from "intel-node/series/bar-series";
import { loadManyBars, yieldToEventLoop } from "intel-node/series/load-bars";
import { BITCOIN_NODES, fetchNode, type NodeReading } from "../bitcoin/nodes.ts";
import { readFeeSamples } from "../bitcoin/stored-fees.ts";
import { citeOpenInterest, type InterestHistory, readOpenInterest } from "../derivatives/stored-interest.ts";
import { fetchSolanaPrices } from "../oracle/solana-prices.ts";
import { fetchOracleConsensus, type OracleConsensusInputs } from "../oracle-consensus/fetch.ts";
import { type ConsensusSymbol, SYMBOLS } from "../oracle-consensus/schema.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";
import { scanCandles } from "./candles.ts";
import type { AnomalyScan } from "./finding.ts";
import { BARS_COUNT, BARS_COUNT_MIN, STABLE_AGE_MAX_MS } from "./rules.ts";

export const STABLES = ["USDC", "USDT"] as const;

export interface AnomaliasInputs {
  readonly read_at_ms: number;
  readonly series: readonly Outcome<BarSeries>[];
  /** The findings of the series, if already computed. */
  readonly candles?: readonly AnomalyScan[];
  readonly funding: Outcome<ReadonlyMap<string, Perpetual>>;
  readonly predicted: Outcome<ReadonlyMap<string, FundingByVenue>>;
  readonly interest: InterestHistory;
  readonly stables: Readonly<Record<(typeof STABLES)[number], Outcome<PythPrice>>>;
  readonly consensus: readonly { readonly symbol: ConsensusSymbol; readonly inputs: Outcome<OracleConsensusInputs> }[];
  /** Fee rates now and, of the same provider, of the last 30 days' sampled hours; sat/vB. */
  readonly fees: Outcome<NodeReading & { readonly samples: readonly number[] }>;
}

async function fetchStables(context: FetchContext): Promise<AnomaliasInputs["stables"]> {
  const read = await outcomeOf(
    context.first("prices of stablecoins", [
      {
        provider: solanaRpc,
        run: () =>
          fetchSolanaPrices(context, {
            feeds: STABLES.map((symbol) => PYTH_FEEDS[symbol]),
            isUseful: ({ pyth }) =>
              pyth.some((price) => price.ok && context.now_ms - price.value.publish_time_ms <= STABLE_AGE_MAX_MS),
          }),
      },
    ]),
  );
  const [usdc, usdt] = read.ok ? read.value.pyth : [read, read];
  const missing: Outcome<PythPrice> = { ok: false, error: new Error("not read") };
  return { USDC: usdc ?? missing, USDT: usdt ?? missing };
}

const fetchFees = (context: FetchContext): Promise<AnomaliasInputs["fees"]> =>
  outcomeOf(
    context.first(
      "transaction fees",
      BITCOIN_NODES.map((node) => ({
        provider: node.provider,
        run: async () => {
          const reading = await fetchNode(context, node);
          return { ...reading, samples: (await readFeeSamples(context, reading.provider)).map(({ sat_vb }) => sat_vb) };
        },
      })),
    ),
  );

async function lookAtSeries(series: readonly Outcome<BarSeries>[]): Promise<readonly AnomalyScan[]> {
  const looked: AnomalyScan[] = [];
  for (const one of scanCandles(series.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])))) {
    looked.push(one);
    await yieldToEventLoop();
  }
  return looked;
}

/** Everything at once. Only the candles are essential; what else fails is handed over with its error. */
export async function fetchAnomalias(context: FetchContext): Promise<AnomaliasInputs> {
  const ask = <T>(what: string, run: () => Promise<T>) =>
    outcomeOf(context.first(what, [{ provider: hyperliquid, run }]));
  const requests = UNIVERSE_20.map((symbol) => ({
    symbol,
    interval: "1h" as const,
    count: BARS_COUNT,
    count_min: BARS_COUNT_MIN,
    grace: true,
  }));
  const [series, funding, predicted, stables, fees, ...consensus] = await Promise.all([
    loadManyBars(context, requests),
    ask("funding", () => fetchPerpetuals(context, UNIVERSE_20)),
    ask("predicted funding", () => fetchPredictedFundings(context, UNIVERSE_20)),
    fetchStables(context),
    fetchFees(context),
    ...SYMBOLS.map(async (symbol) => ({
      symbol,
      inputs: await outcomeOf(fetchOracleConsensus(context, { symbol })),
    })),
  ]);
  const candles = await lookAtSeries(series);
  const interest = await readOpenInterest(context);
  if (interest.fetched_at_ms !== null) citeOpenInterest(context, interest.fetched_at_ms);
  return { read_at_ms: context.now_ms, series, candles, funding, predicted, interest, stables, consensus, fees };
}
