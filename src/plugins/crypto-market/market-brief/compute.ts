import {
  type Computed,
  canonicalJSON,
  type Draft,
  missing,
  missingIn,
  NodeError,
  type Outcome,
  renderTime,
  roundAs,
  sha256Hex,
  type Write,
  withNulls,
  writeByTemplates,
} from "intel-node";
import { INTERVALS_MS } from "intel-node/providers/bars";
import type { BarSeries } from "intel-node/series/bar-series";
import { describeMissingBars, type MissingBars } from "intel-node/series/missing-bars";
import { describeSample, NO_FUNDING } from "../derivatives/stored-funding.ts";
import { UNIVERSE_10 } from "../universe/universe.ts";
import { FUNDED, HOURS_PER_WEEK, type MarketBriefInputs } from "./fetch.ts";
import { planBrief } from "./prose.ts";
import { type MarketBriefData, type MarketPack, PackSchema } from "./schema.ts";

const roundPack = roundAs(PackSchema);
type DraftPack = Draft<MarketPack>;

const HOURS_PER_DAY = 24;
const MOVERS = 3;
/** Percent. What moved by less is shown as 0. */
const MOVE_MIN = 0.005;
const ANOMALIES = 3;

/** Why a part could not be had. */
const whyNot = (error: unknown): string => (error instanceof NodeError ? error.code : "could not be computed");

/** A part that is made of what succeeded; missing where that failed. */
const makePart = <T, P>(outcome: Outcome<T>, make: (value: T) => P) =>
  outcome.ok ? make(outcome.value) : missing(whyNot(outcome.error));

/** Percent from the close some hours before to the last one. */
function getChange({ bars }: BarSeries, hours: number): number {
  const [now, then] = [bars.at(-1)?.close, bars.at(-1 - hours)?.close];
  return ((now ?? Number.NaN) / (then ?? Number.NaN) - 1) * 100;
}

/** Series that end with the newest hour most coins have: changes are compared, so they must be of the same hours. */
function align(hours: readonly BarSeries[]): { readonly series: readonly BarSeries[]; readonly last_ms: number } {
  const bitcoin = hours.find(({ symbol }) => symbol === "BTC");
  const last_ms = bitcoin?.bars.at(-1)?.t_ms ?? Number.NaN;
  return { series: hours.filter(({ bars }) => bars.at(-1)?.t_ms === last_ms), last_ms };
}

const describePrices = (series: readonly BarSeries[]): MarketPack["prices"] =>
  UNIVERSE_10.flatMap((symbol) => series.find((one) => one.symbol === symbol) ?? []).map((one) => ({
    symbol: one.symbol,
    price_usd: one.bars.at(-1)?.close ?? Number.NaN,
    chg_24h_pct: getChange(one, HOURS_PER_DAY),
    chg_7d_pct: getChange(one, HOURS_PER_WEEK),
  }));

/** Coins that `prices` is without, and why. */
function warnOfPrices(prices: MarketPack["prices"], unusable: readonly MissingBars[]): readonly string[] {
  const absent = unusable.filter(({ symbol }) => UNIVERSE_10.some((one) => one === symbol));
  const late = UNIVERSE_10.filter((symbol) => ![...prices, ...absent].some((one) => one.symbol === symbol));
  return [
    ...describeMissingBars("prices", "hourly bars", absent),
    ...(late.length > 0 ? [`prices: the last hour's bar of ${late.join(", ")} is not there yet`] : []),
  ];
}

function findMovers(series: readonly BarSeries[]): MarketPack["movers"] {
  const moves = series
    .map((one) => ({ symbol: one.symbol, chg_24h_pct: getChange(one, HOURS_PER_DAY) }))
    .sort((a, b) => b.chg_24h_pct - a.chg_24h_pct || (a.symbol < b.symbol ? -1 : 1));
  const down = moves.filter(({ chg_24h_pct }) => chg_24h_pct <= -MOVE_MIN).reverse();
  return {
    up: moves.filter(({ chg_24h_pct }) => chg_24h_pct >= MOVE_MIN).slice(0, MOVERS),
    down: down.slice(0, MOVERS),
  };
}

const describeMarket = ({ caps }: MarketBriefInputs): DraftPack["market"] =>
  makePart(caps, ({ source, total_of, total_usd, total_change_24h_pct, btc_dominance_pct }) =>
    missingIn(
      {
        total_cap_usd: total_usd,
        cap_chg_24h_pct: total_change_24h_pct,
        btc_dominance_pct,
        caps_source: source,
        total_of,
      },
      `not published by ${source}`,
    ),
  );

function describeDerivatives({ positioning }: MarketBriefInputs): DraftPack["derivatives"] {
  const known = FUNDED.flatMap((symbol) => positioning[symbol] ?? []);
  if (known.length === 0) return missing(NO_FUNDING);
  const apr = (symbol: (typeof FUNDED)[number]) =>
    positioning[symbol]?.funding_apr_pct ?? missing("none is told or stored");
  const oi_usd = FUNDED.reduce((sum, symbol) => sum + (positioning[symbol]?.open_interest_usd ?? 0), 0);
  return {
    btc_funding_apr_pct: apr("BTC"),
    eth_funding_apr_pct: apr("ETH"),
    sol_funding_apr_pct: apr("SOL"),
    oi_usd: known.length === FUNDED.length ? oi_usd : missing("not of all three coins"),
  };
}

/** That the derivatives are of a stored sample. */
function warnOfSample({ positioning }: MarketBriefInputs, now_ms: number): readonly string[] {
  const [first] = FUNDED.flatMap((symbol) => positioning[symbol] ?? []);
  const sampled = first && describeSample(first, now_ms);
  return sampled ? [`derivatives: ${sampled}`] : [];
}

const DVOL = "volatility.dvol: ";

function describeRegime({ regime }: MarketBriefInputs): Pick<DraftPack, "regime" | "volatility" | "breadth"> {
  if (!regime.ok) {
    const gone = missing(whyNot(regime.error));
    return { regime: gone, volatility: gone, breadth: gone };
  }
  const { data, warnings } = regime.value;
  const { volatility, breadth } = data;
  const no_dvol = warnings.find((text) => text.startsWith(DVOL))?.slice(DVOL.length);
  return {
    regime: {
      regime: data.regime,
      score: data.score,
      confidence: data.confidence,
      since: data.since,
      days_in_regime: data.days_in_regime,
    },
    volatility: {
      btc_rv30_pct: volatility.rv30_pct,
      percentile: volatility.percentile,
      dvol: volatility.dvol ?? missing(no_dvol ?? "/regime has none"),
    },
    breadth: missingIn(breadth, "too few coins have the bars"),
  };
}

type Others = Pick<DraftPack, "fear_greed" | "sectors" | "anomalies_top" | "fees" | "signals">;

function describeOthers({ fear_greed, sectors, anomalies, fees, signals }: MarketBriefInputs): Others {
  return {
    fear_greed: makePart(fear_greed, ({ data: { index_id, value, classification, attribution } }) => ({
      index_id,
      value,
      classification,
      attribution: attribution ?? missing("the index is the node's own"),
    })),
    sectors: makePart(sectors, ({ data }) => {
      const idsOf = (quadrant: string) => data.sectors.filter((one) => one.quadrant === quadrant).map(({ id }) => id);
      return { leading: idsOf("leading"), lagging: idsOf("lagging") };
    }),
    anomalies_top: makePart(anomalies, ({ data }) =>
      data.anomalies.slice(0, ANOMALIES).map(({ type, symbol, severity, direction, value, unit }) => ({
        type,
        symbol,
        severity,
        direction,
        value,
        unit,
      })),
    ),
    fees: makePart(fees, ({ data: { btc, ethereum } }) => ({
      btc_fastest_sat_vb: btc.fees_sat_vb.fastest,
      eth_gwei: ethereum?.base_fee_gwei ?? missing("no node of Ethereum could be read"),
    })),
    signals: makePart(signals, ({ data: { active, record_stats } }) => ({
      active_n: active.length,
      long_n: active.filter(({ side }) => side === "long").length,
      short_n: active.filter(({ side }) => side === "short").length,
      record_warning: record_stats.warning,
    })),
  };
}

/** Close of the hour of all prices, ms: other parts can be newer, but no price in the brief is. */
const getAsOf = (last_ms: number, now_ms: number): number => Math.min(now_ms, last_ms + INTERVALS_MS["1h"]);

/** The numbers first, then prose of nothing but them. A brief that fails its check never holds the numbers back. */
export function computeMarketBrief(
  inputs: MarketBriefInputs,
  { now_ms, write = writeByTemplates }: { readonly now_ms: number; readonly write?: Write },
): Computed<Draft<MarketBriefData>> {
  const { series, last_ms } = align(inputs.hours);
  const prices = describePrices(series);
  const draft: DraftPack = {
    prices,
    market: describeMarket(inputs),
    ...describeRegime(inputs),
    ...describeOthers(inputs),
    derivatives: describeDerivatives(inputs),
    movers: findMovers(series),
  };
  // What is told and hashed is what is sold.
  const pack: MarketPack = roundPack(withNulls<MarketPack>(draft));
  const as_of_ms = getAsOf(last_ms, now_ms);
  const { written, warnings: unwritten } = write(planBrief(pack, renderTime(as_of_ms)));
  const [block] = written.blocks;
  const no_prose = missing(unwritten.join("; "));
  return {
    as_of_ms,
    warnings: [...warnOfPrices(prices, inputs.missing), ...warnOfSample(inputs, now_ms)],
    data: {
      ...draft,
      brief: block?.text ?? no_prose,
      facts: written.facts,
      written_by: block?.written_by ?? no_prose,
      brief_model: block?.written_by === "model" ? written.writer.model : null,
      pack_hash: sha256Hex(canonicalJSON(pack)),
    },
  };
}
