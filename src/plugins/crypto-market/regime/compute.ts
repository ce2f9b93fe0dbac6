import { type Computed, type Draft, missing, NodeError } from "intel-node";
import { type Bar, DAY_MS } from "intel-node/providers/bars";
import { describeMissingBars } from "intel-node/series/missing-bars";
import { computeRegime, type RegimeReading } from "../regimes/compute.ts";
import { BREADTH_COINS_MIN } from "../regimes/factors.ts";
import { readVolatility } from "../regimes/volatility.ts";
import { getTrack, getTurbulence, RETURNS_MAX } from "./daily.ts";
import type { RegimeProductInputs } from "./fetch.ts";
import type { RegimeData } from "./schema.ts";

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * The implied volatility index as of the newest bar's close: of the day that ended with it or, where the publisher's
 * days end at another hour, in the 24 hours before. Never a later one, so that a past day's answer stays what it was.
 */
function findImplied({ implied }: RegimeProductInputs, bar_ms: number): Draft<number | null> {
  const lack = (why: string) => missing(`${why}; realised volatility stands alone`);
  if (!implied) return lack("no licensed provider of implied volatility");
  if (!implied.ok) return lack("implied volatility could not be read");
  const day = implied.value.findLast(({ t_ms }) => t_ms <= bar_ms && t_ms > bar_ms - DAY_MS);
  return day ? day.close : lack("implied volatility of that day is missing");
}

/** Realised volatility of 30 days and its rank among the last 365 of them. */
function describeVolatility(bars: readonly Bar[], dvol: Draft<number | null>): Draft<RegimeData["volatility"]> {
  const reading = readVolatility(bars.map(({ close }) => close));
  if (!reading) throw new RangeError("a year of volatility takes 395 closes");
  const { rv30, percentile, state } = reading;
  return { rv30_pct: rv30 * 100, percentile: percentile, state, dvol };
}

function describeBreadth({ breadth }: RegimeReading): Draft<RegimeData["breadth"]> {
  const share = (above: number, of: number, days: number) =>
    of < BREADTH_COINS_MIN ? missing(`fewer than ${BREADTH_COINS_MIN} coins have ${days} daily bars`) : above / of;
  return {
    above_sma50_frac: share(breadth.above_50, breadth.of_50, 50),
    above_sma200_frac: share(breadth.above_200, breadth.of_200, 200),
    n: breadth.of_50,
  };
}

const NO_FACTOR = `fewer than ${BREADTH_COINS_MIN} coins have daily bars; the other weights are scaled to 1`;

function warnOf({ market }: RegimeProductInputs, reading: RegimeReading): string[] {
  const warnings = describeMissingBars("breadth.n", "daily bars", market.missing);
  if (market.late.length > 0)
    warnings.push(`breadth.n: the newest daily bar of ${market.late.join(", ")} is not there`);
  if (!reading.previous) warnings.push("since: the state is older than the 200 days that are replayed");
  return warnings;
}

/**
 * Bull, bear or chop with every factor's part in it, the volatility state and how the states did.
 * @throws NodeError upstream_unavailable without enough daily bars of Bitcoin.
 */
export function computeRegimeProduct(inputs: RegimeProductInputs): Computed<Draft<RegimeData>> {
  const { market, years } = inputs;
  const reading = computeRegime(market);
  const last = market.bitcoin.at(-1);
  if (!reading || !last) {
    throw new NodeError("upstream_unavailable", "Too few daily bars of Bitcoin. Nothing was charged.", {
      retry_after_s: 60,
    });
  }
  const warnings = warnOf(inputs, reading);
  const { p, n } = getTurbulence(market.bitcoin);
  if (p !== null && n < RETURNS_MAX) warnings.push(`p_turbulent: fitted to ${n} returns instead of 1,000`);
  const data: Draft<RegimeData> = {
    regime: reading.regime,
    score: reading.score,
    confidence: reading.confidence,
    since: dateOf(reading.since_ms),
    days_in_regime: reading.days_in_regime,
    factors: reading.factors.map(({ name, value, weight, contribution }) => ({
      name,
      value: value ?? missing(NO_FACTOR),
      weight,
      contribution,
    })),
    chop_gate: reading.chop_gate,
    er30: reading.er30,
    adx14: reading.adx14,
    volatility: describeVolatility(market.bitcoin, findImplied(inputs, reading.bar_ms)),
    breadth: describeBreadth(reading),
    p_turbulent: p ?? missing("no model of two states fits the returns"),
    btc_close: last.close,
    bar_date: dateOf(reading.bar_ms),
    previous: reading.previous
      ? { regime: reading.previous.regime, ended: dateOf(reading.previous.ended_ms) }
      : missing("it ended before the 200 days that are replayed"),
    ...getTrack(years),
  };
  return { as_of_ms: reading.bar_ms + DAY_MS, data, warnings };
}

const dropLast = <T>(list: readonly T[]): readonly T[] => list.slice(0, -1);

/** As it was a day earlier. Null when Bitcoin's bars do not reach back far enough. */
export function rewindRegime({ market, years, implied }: RegimeProductInputs): RegimeProductInputs | null {
  const bitcoin = dropLast(market.bitcoin);
  const universe = market.universe.map(dropLast);
  if (!computeRegime({ bitcoin, universe })) return null;
  return {
    market: { ...market, bitcoin, universe },
    years: years && { ...years, bars: dropLast(years.bars) },
    implied,
  };
}
