import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getRealisedVolatility } from "../../../quant/stats.ts";
import { DAY_MS } from "../bars.ts";
import { readWhole, unknownPath } from "../simulated-market.ts";

/** What buyers of options pay above what the price did; a fixed share is enough for a simulated market. */
const PREMIUM = 1.15;
const REALISED_DAYS = 30;
/** The index never stands still, whatever the price did. */
const FLOOR_PCT = 10;
const ROWS_MAX = 1_000;
const COINS = ["BTC", "ETH"];

/** The world's realised volatility of 30 days with a premium, percent per year. */
function getSimulatedIndex(world: SimulatedWorld, symbol: string, at_ms: number): number {
  const closes = Array.from({ length: REALISED_DAYS + 1 }, (_, day) =>
    world.price(symbol, at_ms - (REALISED_DAYS - day) * DAY_MS),
  );
  return Math.max(FLOOR_PCT, (getRealisedVolatility(closes, REALISED_DAYS) ?? 0) * 100 * PREMIUM);
}

const fail = (param: string) => ({
  json: { jsonrpc: "2.0", error: { code: -32_602, message: "Invalid params", data: { reason: "wrong", param } } },
  status: 400,
});

function getRow(world: SimulatedWorld, symbol: string, t_ms: number): number[] {
  const end_ms = Math.min(t_ms + DAY_MS, world.now());
  const [open, close] = [t_ms, end_ms].map((at_ms) => getSimulatedIndex(world, symbol, at_ms));
  const values = [open ?? FLOOR_PCT, close ?? FLOOR_PCT];
  const row = [values[0], Math.max(...values) * 1.01, Math.min(...values) * 0.99, values[1]];
  return [t_ms, ...row.map((value = FLOOR_PCT) => Number(value.toFixed(2)))];
}

/** Days of the index, the open one included, as Deribit lists them: oldest first, the newest 1,000. */
export const simulator = defineSimulator({
  provider: "deribit",
  respond({ path, query }, world) {
    if (path !== "/public/get_volatility_index_data") return unknownPath();
    const symbol = query.get("currency") ?? "";
    if (!COINS.includes(symbol)) return fail("currency");
    if (query.get("resolution") !== "1D") return fail("resolution");
    const [from_ms, to_ms] = [readWhole(query.get("start_timestamp")), readWhole(query.get("end_timestamp"))];
    if (from_ms === undefined || to_ms === undefined) return fail("start_timestamp");
    const last = Math.floor(Math.min(to_ms, world.now()) / DAY_MS);
    const first = Math.max(Math.ceil(from_ms / DAY_MS), last - ROWS_MAX + 1);
    const count = Math.max(0, last - first + 1);
    const data = Array.from({ length: count }, (_, index) => getRow(world, symbol, (first + index) * DAY_MS));
    return { json: { jsonrpc: "2.0", result: { data, continuation: null } } };
  },
});
