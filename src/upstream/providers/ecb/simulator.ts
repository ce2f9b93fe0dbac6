import { addDays, easterOf, isWeekend, yearOf } from "../../../calendars/dates.ts";
import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedEuro, isSimulatedCurrency } from "../simulated-fx.ts";

/** The rates of a day are fixed at about 13:15 and published at about 15:00 UTC. */
const FIXED_MS = 13.25 * 3_600_000;
const PUBLISHED_MS = 15 * 3_600_000;
const DAYS_MAX = 12_000;

const listHolidays = (year: number): ReadonlySet<string> => {
  const easter = easterOf(year);
  const fixed = ["01-01", "05-01", "12-25", "12-26"].map((day) => `${year}-${day}`);
  return new Set([...fixed, addDays(easter, -2), addDays(easter, 1)]);
};
const holidays = new Map<number, ReadonlySet<string>>();

/** TARGET's holidays. */
function isHoliday(date: string): boolean {
  const year = yearOf(date);
  const known = holidays.get(year) ?? listHolidays(year);
  holidays.set(year, known);
  return known.has(date);
}

/** Days with rates from a date on that are published by now, with the moments they were fixed. */
function listFixings(since: string, now_ms: number): readonly { readonly date: string; readonly at_ms: number }[] {
  const fixings: { date: string; at_ms: number }[] = [];
  for (let day = 0, date = since; day < DAYS_MAX; day += 1, date = addDays(date, 1)) {
    const start_ms = Date.parse(date);
    if (start_ms + PUBLISHED_MS > now_ms) break;
    if (!isWeekend(date) && !isHoliday(date)) fixings.push({ date, at_ms: start_ms + FIXED_MS });
  }
  return fixings;
}

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
    const fixings = listFixings(query.get("startPeriod") ?? addDays(today, -30), world.now());
    const lines = known.flatMap((currency) =>
      fixings.map(({ date, at_ms }) => {
        const rate = getSimulatedEuro(world, currency, at_ms);
        return `EXR.D.${currency}.EUR.SP00.A,D,${currency},EUR,SP00,A,${date},${Number(rate.toPrecision(6))}`;
      }),
    );
    if (lines.length === 0) return { status: 404, text: "No results found." };
    const head = "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE";
    return { text: `${[head, ...lines].join("\r\n")}\r\n` };
  },
});
