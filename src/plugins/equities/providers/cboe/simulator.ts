import { defineSimulator, toLocal } from "intel-node";
import { getSimulatedShare } from "intel-node/providers/simulated-shares";
import { getSimulatedUSDay, NEW_YORK } from "../../markets/simulated-day.ts";

const DELAY_MS = 900_000;
/** Cboe's own last print comes before the closing auction. */
const BEFORE_CLOSE_MS = 1_000;
/** How far it is from the official close. */
const PRINT_OFF = 0.002;

/** Everything is of regular hours. In the night `prev_day_close` turns into the day's own close. */
export const simulator = defineSimulator({
  provider: "cboe",
  respond({ path }, world) {
    const [, symbol = ""] = /^\/quotes\/([^/]+)\.json$/.exec(path) ?? [];
    if (symbol === "" || symbol.startsWith("ZZZZ"))
      return { status: 403, text: "<Error><Code>AccessDenied</Code></Error>" };
    const delayed_ms = world.now() - DELAY_MS;
    const day = getSimulatedUSDay(world, symbol, delayed_ms);
    const printed_ms = Math.min(delayed_ms, day.close_ms - BEFORE_CLOSE_MS);
    const print = getSimulatedShare(world, symbol, { at_ms: printed_ms });
    const current_price = day.is_running ? print : print * (1 + PRINT_OFF);
    const { date, time } = toLocal(NEW_YORK.zone, printed_ms);
    const has_turned = !day.is_running && toLocal(NEW_YORK.zone, world.now()).date !== day.date;
    const data = {
      symbol,
      current_price,
      price_change: current_price - day.prev_close,
      bid: current_price,
      ask: current_price,
      open: day.open,
      high: day.high,
      low: day.low,
      close: day.last,
      prev_day_close: has_turned ? day.last : day.prev_close,
      volume: 1_000_000,
      last_trade_time: `${date}T${time.slice(0, 5)}:${day.is_running ? "00" : "59"}`,
    };
    return { json: { timestamp: `${date} ${time}`, data, symbol } };
  },
});
