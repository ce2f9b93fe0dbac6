import { defineSimulator } from "intel-node";
import { getSimulatedUSDay } from "../../markets/simulated-day.ts";

const DELAY_MS = 5_000;

/** Everything is of regular hours. */
export const simulator = defineSimulator({
  provider: "finnhub",
  respond({ path, query }, world) {
    const symbol = query.get("symbol") ?? "";
    if (path !== "/quote") return { status: 404, text: "404 page not found" };
    if (symbol.startsWith("ZZZZ")) return { json: { c: 0, d: null, dp: null, h: 0, l: 0, o: 0, pc: 0, t: 0 } };
    const day = getSimulatedUSDay(world, symbol, world.now() - DELAY_MS);
    const [c, pc, t] = [day.last, day.prev_close, Math.floor(day.last_ms / 1000)];
    return { json: { c, d: c - pc, dp: (c / pc - 1) * 100, h: day.high, l: day.low, o: day.open, pc, t } };
  },
});
