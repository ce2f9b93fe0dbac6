import {
  type Computed,
  canonicalJSON,
  NodeError,
  type Outcome,
  renderTime,
  roundAs,
  sha256Hex,
  type Write,
  writeByTemplates,
} from "intel-node";
import { INTERVALS_MS } from "intel-node/providers/bars";
import type { BarSeries } from "intel-node/series/bar-series";
import { describeMissingBars, type MissingBars } from "intel-node/series/missing-bars";
import { describeSample } from "../derivatives/stored-funding.ts";
import { UNIVERSE_10 } from "../universe/universe.ts";
import { FUNDED, HOURS_PER_WEEK, type MarketBriefInputs } from "./fetch.ts";
import { planBrief } from "./prose.ts";
import { type MarketBriefData, type MarketPack, PackSchema } from "./schema.ts";

const roundPack = roundAs(PackSchema);

const HOURS_PER_DAY = 24;
const MOVERS = 3;
/** Percent. What moved by less is shown as 0. */
const MOVE_MIN = 0.005;
const ANOMALIES = 3;

type Warn = (text: string) => void;

/** The value of what succeeded; null with a warning for what did not. */
function readPart<T>(outcome: Outcome<T>, fields: string, warn: Warn): T | null {
  if (outcome.ok) return outcome.value;
  warn(`${fields}: ${outcome.error instanceof NodeError ? outcome.error.code : "could not be computed"}`);
  return null;
}

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

function describePrices(
  series: readonly BarSeries[],
  unusable: readonly MissingBars[],
  warn: Warn,
): MarketPack["prices"] {
  const known = UNIVERSE_10.flatMap((symbol) => series.find((one) => one.symbol === symbol) ?? []);
  const missing = unusable.filter(({ symbol }) => UNIVERSE_10.some((one) => one === symbol));
  for (const warning of describeMissingBars("prices", "hourly bars", missing)) warn(warning);
  const late = UNIVERSE_10.filter((symbol) => ![...known, ...missing].some((one) => one.symbol === symbol));
  if (late.length > 0) warn(`prices: the last hour's bar of ${late.join(", ")} is not there yet`);
  return known.map((one) => ({
    symbol: one.symbol,
    price_usd: one.bars.at(-1)?.close ?? Number.NaN,
    chg_24h_pct: getChange(one, HOURS_PER_DAY),
    chg_7d_pct: getChange(one, HOURS_PER_WEEK),
  }));
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

function describeMarket({ caps }: MarketBriefInputs, warn: Warn): MarketPack["market"] {
  const value = readPart(caps, "market", warn);
  if (!value) return null;
  const { source, total_of, total_usd, total_change_24h_pct, btc_dominance_pct } = value;
  const market = {
    total_cap_usd: total_usd,
    cap_chg_24h_pct: total_change_24h_pct,
    btc_dominance_pct,
    caps_source: source,
    total_of,
  };
  const missing = Object.entries(market).flatMap(([name, one]) => (one === null ? [name] : []));
  if (missing.length > 0) warn(`market.${missing.join(", market.")}: not published by ${source}`);
  return market;
}

function describeDerivatives(
  { positioning }: MarketBriefInputs,
  now_ms: number,
  warn: Warn,
): MarketPack["derivatives"] {
  const known = FUNDED.flatMap((symbol) => positioning[symbol] ?? []);
  const [first] = known;
  if (!first) {
    warn("derivatives: no funding is told now, and none of the last 2 h is stored");
    return null;
  }
  const sampled = describeSample(first, now_ms);
  if (sampled) warn(`derivatives: ${sampled}`);
  const apr = (symbol: (typeof FUNDED)[number]) => {
    const value = positioning[symbol]?.funding_apr_pct ?? null;
    if (value === null) warn(`derivatives.${symbol.toLowerCase()}_funding_apr_pct: none is told or stored`);
    return value;
  };
  const whole = known.length === FUNDED.length;
  if (!whole) warn("derivatives.oi_usd: not of all three coins");
  const oi_usd = FUNDED.reduce((sum, symbol) => sum + (positioning[symbol]?.open_interest_usd ?? 0), 0);
  return {
    btc_funding_apr_pct: apr("BTC"),
    eth_funding_apr_pct: apr("ETH"),
    sol_funding_apr_pct: apr("SOL"),
    oi_usd: whole ? oi_usd : null,
  };
}

type RegimeParts = Pick<MarketPack, "regime" | "volatility" | "breadth">;

function describeRegime({ regime }: MarketBriefInputs, warn: Warn): RegimeParts {
  const part = readPart(regime, "regime, volatility, breadth", warn);
  if (!part) return { regime: null, volatility: null, breadth: null };
  const { data } = part;
  const { volatility, breadth } = data;
  for (const why of part.warnings) if (why.startsWith("volatility.dvol:")) warn(why);
  const absent = Object.entries(breadth).flatMap(([name, value]) => (value === null ? [`breadth.${name}`] : []));
  if (absent.length > 0) warn(`${absent.join(", ")}: too few coins have the bars`);
  return {
    regime: {
      regime: data.regime,
      score: data.score,
      confidence: data.confidence,
      since: data.since,
      days_in_regime: data.days_in_regime,
    },
    volatility: { btc_rv30_pct: volatility.rv30_pct, percentile: volatility.percentile, dvol: volatility.dvol },
    breadth,
  };
}

type Others = Pick<MarketPack, "fear_greed" | "sectors" | "anomalies_top" | "fees" | "signals">;

function describeOthers(inputs: MarketBriefInputs, warn: Warn): Others {
  const fng = readPart(inputs.fear_greed, "fear_greed", warn)?.data;
  const sectors = readPart(inputs.sectors, "sectors", warn)?.data.sectors;
  const odd = readPart(inputs.anomalies, "anomalies_top", warn)?.data.anomalies;
  const fees = readPart(inputs.fees, "fees", warn)?.data;
  const signals = readPart(inputs.signals, "signals", warn)?.data;
  const idsOf = (quadrant: string) => (sectors ?? []).filter((one) => one.quadrant === quadrant).map((one) => one.id);
  if (fees && !fees.ethereum) warn("fees.eth_gwei: no node of Ethereum could be read");
  if (fng && !fng.attribution) warn("fear_greed.attribution: the index is the node's own");
  return {
    fear_greed: fng
      ? {
          index_id: fng.index_id,
          value: fng.value,
          classification: fng.classification,
          attribution: fng.attribution,
        }
      : null,
    sectors: sectors ? { leading: idsOf("leading"), lagging: idsOf("lagging") } : null,
    anomalies_top: odd
      ? odd.slice(0, ANOMALIES).map(({ type, symbol, severity, direction, value, unit }) => ({
          type,
          symbol,
          severity,
          direction,
          value,
          unit,
        }))
      : null,
    fees: fees
      ? { btc_fastest_sat_vb: fees.btc.fees_sat_vb.fastest, eth_gwei: fees.ethereum?.base_fee_gwei ?? null }
      : null,
    signals: signals
      ? {
          active_n: signals.active.length,
          long_n: signals.active.filter(({ side }) => side === "long").length,
          short_n: signals.active.filter(({ side }) => side === "short").length,
          record_warning: signals.record_stats.warning,
        }
      : null,
  };
}

/** Close of the hour of all prices, ms: other parts can be newer, but no price in the brief is. */
const getAsOf = (last_ms: number, now_ms: number): number => Math.min(now_ms, last_ms + INTERVALS_MS["1h"]);

/** The numbers first, then prose of nothing but them. A brief that fails its check never holds the numbers back. */
export function computeMarketBrief(
  inputs: MarketBriefInputs,
  { now_ms, write = writeByTemplates }: { readonly now_ms: number; readonly write?: Write },
): Computed<MarketBriefData> {
  const warnings: string[] = [];
  const warn: Warn = (text) => warnings.push(text);
  const { series, last_ms } = align(inputs.hours);
  // What is told and hashed is what is sold.
  const pack: MarketPack = roundPack({
    prices: describePrices(series, inputs.missing, warn),
    market: describeMarket(inputs, warn),
    ...describeRegime(inputs, warn),
    ...describeOthers(inputs, warn),
    derivatives: describeDerivatives(inputs, now_ms, warn),
    movers: findMovers(series),
  });
  const as_of_ms = getAsOf(last_ms, now_ms);
  const { written, warnings: unwritten } = write(planBrief(pack, renderTime(as_of_ms)));
  const [block] = written.blocks;
  if (!block) for (const why of unwritten) warn(`brief, written_by: ${why}`);
  return {
    as_of_ms,
    warnings,
    data: {
      ...pack,
      brief: block?.text ?? null,
      facts: written.facts,
      written_by: block?.written_by ?? null,
      brief_model: block?.written_by === "model" ? written.writer.model : null,
      pack_hash: sha256Hex(canonicalJSON(pack)),
    },
  };
}
