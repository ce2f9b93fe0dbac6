import type { Calendar, SimulatedWorld } from "intel-node";
import { getSimulatedLevel, getSimulatedShare, isSimulatedShare } from "intel-node/providers/simulated-shares";
import type { Market } from "./markets.ts";
import { findSessionAt, findSessionBefore } from "./regular-session.ts";
import { getCalendar } from "./session.ts";

/** What a vendor could say of the session that runs, or of the last one. */
export interface SimulatedDay {
  readonly date: string;
  readonly open_ms: number;
  readonly close_ms: number;
  readonly is_running: boolean;
  /** The last price of regular hours and its time: the close once they are over. */
  readonly last: number;
  readonly last_ms: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  /** The close of the session before. */
  readonly prev_close: number;
}

const STEP_MS = 3_600_000;
type PriceAt = (at_ms: number) => number;

/** The day of a share whose price at any time is known. */
export function getSimulatedDay(calendar: Calendar, priceAt: PriceAt, now_ms: number): SimulatedDay {
  const session = findSessionAt(calendar, now_ms);
  const before = session && findSessionBefore(calendar, session.date);
  if (!session || !before) throw new RangeError(`no session of ${calendar.mic}`);
  const last_ms = Math.min(now_ms, session.close_ms);
  const steps = Math.ceil((last_ms - session.open_ms) / STEP_MS);
  const times = Array.from({ length: steps }, (_, step) => session.open_ms + step * STEP_MS);
  const prices = [...times, last_ms].map(priceAt);
  return {
    ...session,
    is_running: now_ms < session.close_ms,
    last: priceAt(last_ms),
    last_ms,
    open: priceAt(session.open_ms),
    high: Math.max(...prices),
    low: Math.min(...prices),
    prev_close: priceAt(before.close_ms),
  };
}

/** When New York trades, to simulators. */
export const NEW_YORK: Calendar = getCalendar("XNYS");

/** The day of a US share. */
export const getSimulatedUSDay = (world: SimulatedWorld, symbol: string, now_ms = world.now()): SimulatedDay =>
  getSimulatedDay(NEW_YORK, (at_ms) => getSimulatedShare(world, symbol, { at_ms }), now_ms);

/** A share of any exchange as a vendor lists it: its currency as vendors spell it, its calendar, and its prices. */
export function findSimulatedListing(
  world: SimulatedWorld,
  { market, symbol }: { readonly market: Market | undefined; readonly symbol: string },
) {
  if (!market) {
    const priceAt: PriceAt = (at_ms) => getSimulatedShare(world, symbol, { at_ms });
    return { currency: "USD", calendar: NEW_YORK, priceAt, is_listed: isSimulatedShare(symbol) };
  }
  const currency = market.code === "LSE" ? "GBp" : market.currency;
  const level = market.code === "LSE" ? 7_345 : 120;
  const priceAt: PriceAt = (at_ms) => getSimulatedLevel(world, `${market.code} ${symbol}`, { level, at_ms });
  return { currency, calendar: getCalendar(market.mic), priceAt, is_listed: true };
}
