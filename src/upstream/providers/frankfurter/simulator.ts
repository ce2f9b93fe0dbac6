import { addDays } from "../../../calendars/dates.ts";
import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedFix, PUBLISHED_MS } from "../simulated-ecb.ts";
import { isSimulatedCurrency } from "../simulated-fx.ts";

const DAYS_MAX = 2_000;

export const simulator = defineSimulator({
  provider: "frankfurter",
  respond({ path, query }, world) {
    const quotes = (query.get("quotes") ?? "").split(",");
    const unknown = quotes.find((quote) => !isSimulatedCurrency(quote));
    if (path !== "/rates" || unknown !== undefined) return { status: 404, json: { message: "not found" } };
    const rows: object[] = [];
    let date = query.get("from") ?? addDays(new Date(world.now()).toISOString().slice(0, 10), -30);
    for (let day = 0; day < DAYS_MAX && Date.parse(date) + PUBLISHED_MS <= world.now(); day += 1) {
      for (const quote of quotes) {
        const rate = getSimulatedFix(world, quote, date);
        if (rate !== null) rows.push({ date, base: "EUR", quote, rate });
      }
      date = addDays(date, 1);
    }
    return { json: rows };
  },
});
