import { addDays } from "../../../calendars/dates.ts";
import { createGrowingFiles, type Grown } from "../../../catalog/growing-file.ts";
import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedFix, PUBLISHED_MS } from "../simulated-ecb.ts";
import { isSimulatedCurrency } from "../simulated-fx.ts";

const DAYS_MAX = 12_000;

/** A currency's rates from a date on that are published by now. */
function listRates(world: SimulatedWorld, currency: string, since: string): Grown {
  const lines: string[] = [];
  const now_ms = world.now();
  let date = since;
  for (let day = 0; day < DAYS_MAX; day += 1, date = addDays(date, 1)) {
    const start_ms = Date.parse(date);
    if (start_ms + PUBLISHED_MS > now_ms) break;
    const rate = getSimulatedFix(world, currency, date);
    if (rate === null) continue;
    lines.push(`EXR.D.${currency}.EUR.SP00.A,D,${currency},EUR,SP00,A,${date},${rate}`);
  }
  return { lines, next: date };
}
const readFile = createGrowingFiles("\r\n");

/** Two years of meetings: decisions every six weeks, on a Thursday. */
function renderMeetings(year: number): string {
  const rows: string[] = [];
  for (let date = `${year}-02-05`; date < `${year + 2}`; date = addDays(date, 42)) {
    const [y, m, d] = date.split("-");
    const what = "Governing Council of the ECB: monetary policy meeting in Frankfurt";
    rows.push(`<dt>${d}/${m}/${y}</dt><dd>${what} (Day 2), followed by press conference</dd>`);
    rows.push(`<dt>${d}/${m}/${y}</dt><dd>General Council meeting of the ECB in Frankfurt</dd>`);
  }
  return `<!DOCTYPE html><html><body><main><dl>${rows.join("\n")}</dl></main></body></html>`;
}

export const simulator = defineSimulator({
  provider: "ecb",
  respond({ path, query }, world) {
    if (path.startsWith("/press/")) return { text: renderMeetings(new Date(world.now()).getUTCFullYear()) };
    const wanted = /^\/EXR\/D\.([A-Z+]+)\.EUR\.SP00\.A$/.exec(path)?.[1]?.split("+") ?? [];
    const known = wanted.filter((currency) => isSimulatedCurrency(currency));
    if (known.length === 0) return { status: 404, text: "No results found." };
    const today = new Date(world.now()).toISOString().slice(0, 10);
    const since = query.get("startPeriod") ?? addDays(today, -30);
    const lines = known.map((name) => readFile(world, { name, since }, (day) => listRates(world, name, day))).join("");
    if (lines === "") return { status: 404, text: "No results found." };
    const head = "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE";
    return { text: `${head}\r\n${lines}` };
  },
});
