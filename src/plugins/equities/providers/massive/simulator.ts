import { defineSimulator, toLocal } from "intel-node";
import { getSimulatedShare } from "intel-node/providers/simulated-shares";
import { findSessionBefore } from "../../markets/regular-session.ts";
import { getSimulatedDay, NEW_YORK, type SimulatedDay } from "../../markets/simulated-day.ts";

const EMPTY = { o: 0, h: 0, l: 0, c: 0, v: 0 };
const toBar = ({ open, high, low, last }: SimulatedDay) => ({ o: open, h: high, l: low, c: last, v: 1_000_000 });
const DELAY_MS = 1_000;

/** The last trade is of extended hours too; the bar of a day is empty until its first session has begun. */
export const simulator = defineSimulator({
  provider: "massive",
  respond({ path }, world) {
    const [, symbol = ""] = /^\/v2\/snapshot\/locale\/us\/markets\/stocks\/tickers\/([^/]+)$/.exec(path) ?? [];
    if (symbol === "" || symbol.startsWith("ZZZZ"))
      return { status: 404, json: { status: "NotFound", message: "Ticker not found." } };
    const priceAt = (at_ms: number) => getSimulatedShare(world, symbol, { at_ms });
    const now_ms = world.now() - DELAY_MS;
    const newest = getSimulatedDay(NEW_YORK, priceAt, now_ms);
    const is_today = toLocal(NEW_YORK.zone, now_ms).date === newest.date;
    const before = findSessionBefore(NEW_YORK, newest.date);
    const older = getSimulatedDay(NEW_YORK, priceAt, before?.close_ms ?? now_ms);
    const extended = ["pre", "post"].includes(NEW_YORK.stateAt(now_ms).status);
    const traded_ms = newest.is_running || extended ? now_ms : newest.close_ms;
    const lastTrade = { p: priceAt(traded_ms), s: 100, t: traded_ms * 1e6, x: 4 };
    const bars = { day: is_today ? toBar(newest) : EMPTY, prevDay: toBar(is_today ? older : newest) };
    return { json: { status: "OK", ticker: { ticker: symbol, ...bars, lastTrade } } };
  },
});
