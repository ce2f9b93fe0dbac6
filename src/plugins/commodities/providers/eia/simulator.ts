import { addDays, defineSimulator, isWeekend } from "intel-node";
import { getSimulatedLevel } from "intel-node/providers/simulated-shares";
import { eia } from "./provider.ts";
import { EIA_ROUTES } from "./spot-prices.ts";

/** The same walks as FRED's copies of these series. */
const WALKS: Readonly<Record<string, { readonly name: string; readonly level: number }>> = {
  RWTC: { name: "fred DCOILWTICO", level: 64 },
  RBRTE: { name: "fred DCOILBRENTEU", level: 68 },
  RNGWHHD: { name: "fred DHHNGSP", level: 3.4 },
};
const LAG_DAYS = 4;
const DAYS = 430;

export const simulator = defineSimulator({
  provider: eia.id,
  respond({ path, query }, world) {
    const series = query.get("facets[series][]") ?? "";
    const walk = WALKS[series];
    const route = Object.entries(EIA_ROUTES).find(([id]) => id === series)?.[1];
    if (!walk || !route || path !== `/v2/${route.route}/data/`) return { status: 404, json: { error: "Not Found" } };
    const newest = addDays(new Date(world.now()).toISOString().slice(0, 10), -LAG_DAYS);
    const isShut = (date: string): boolean => isWeekend(date) || ["01-01", "07-04", "12-25"].includes(date.slice(5));
    const days = Array.from({ length: DAYS }, (_, index) => addDays(newest, -index)).filter((date) => !isShut(date));
    const data = days.slice(0, Number(query.get("length") ?? "5000")).map((period) => {
      const at_ms = Date.parse(period) + 19.5 * 3_600_000;
      const value = getSimulatedLevel(world, walk.name, { level: walk.level, calm: 0.6, at_ms }).toFixed(2);
      return { period, series, "series-description": `${series}, spot`, value, units: route.units };
    });
    return { json: { response: { total: String(data.length), dateFormat: "YYYY-MM-DD", frequency: "daily", data } } };
  },
});
