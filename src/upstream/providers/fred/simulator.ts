import { addDays, isWeekend, toDate } from "../../../calendars/dates.ts";
import { createGrowingFiles, type Grown } from "../../../catalog/growing-file.ts";
import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedLevel } from "../simulated-shares.ts";

interface Shape {
  readonly every: "day" | "week" | "month" | "quarter";
  readonly level: number;
  readonly calm?: number;
  /** Growth of a price index or a count, a fraction per year. */
  readonly growth?: number;
  /** Days after the end of the day or period before it is there. */
  readonly lag_days: number;
  readonly decimals: number;
}

const rate = (level: number): Shape => ({ every: "day", level, calm: 0.25, lag_days: 1, decimals: 2 });
const spot = (level: number): Shape => ({ every: "day", level, calm: 0.6, lag_days: 4, decimals: 2 });
const index = (level: number, growth: number, lag_days = 12): Shape => ({
  every: "month",
  level,
  growth,
  calm: 0.004,
  lag_days,
  decimals: 3,
});

const SHAPES: Readonly<Record<string, Shape>> = {
  DGS1MO: rate(3.9),
  DGS3MO: rate(3.9),
  DGS1: rate(3.7),
  DGS2: rate(3.7),
  DGS5: rate(3.9),
  DGS10: rate(4.3),
  DGS30: rate(4.8),
  DFII10: rate(1.9),
  DFF: rate(3.9),
  SOFR: rate(3.9),
  T10Y2Y: rate(0.6),
  T10YIE: rate(2.3),
  DCOILWTICO: spot(64),
  DCOILBRENTEU: spot(68),
  DHHNGSP: spot(3.4),
  NIKKEI225: { every: "day", level: 45_000, lag_days: 1, decimals: 2 },
  DTWEXBGS: { every: "day", level: 121, calm: 0.1, lag_days: 4, decimals: 4 },
  CPIAUCSL: index(300, 0.028),
  CPIAUCNS: index(299, 0.028),
  CPILFESL: index(306, 0.03),
  PPIFIS: index(144, 0.025, 13),
  PCEPI: index(121, 0.025, 28),
  PCEPILFE: index(121, 0.026, 28),
  INDPRO: index(103, 0.01, 15),
  PAYEMS: { ...index(152_000, 0.011, 4), decimals: 0 },
  RSAFS: { ...index(690_000, 0.035, 14), calm: 0.02, decimals: 0 },
  UNRATE: { every: "month", level: 4.3, calm: 0.03, lag_days: 4, decimals: 1 },
  JTSJOL: { every: "month", level: 7_400, calm: 0.05, lag_days: 33, decimals: 0 },
  M2SL: index(20_000, 0.05, 25),
  A191RL1Q225SBEA: { every: "quarter", level: 2.4, calm: 0.5, lag_days: 29, decimals: 1 },
  GDPC1: { every: "quarter", level: 23_000, growth: 0.022, calm: 0.01, lag_days: 29, decimals: 3 },
  ICSA: { every: "week", level: 228_000, calm: 0.1, lag_days: 5, decimals: 0 },
  WALCL: { every: "week", level: 6_600_000, calm: 0.02, lag_days: 1, decimals: 0 },
  RRPONTSYD: { every: "day", level: 12, calm: 1, lag_days: 1, decimals: 3 },
  USEPUINDXD: { every: "day", level: 160, calm: 1.5, lag_days: 1, decimals: 2 },
  PCOPPUSDM: { ...index(9_850, 0.01, 45), calm: 0.4 },
  PWHEAMTUSDM: { ...index(218, 0, 45), calm: 0.4 },
  PMAIZMTUSDM: { ...index(196, 0, 45), calm: 0.4 },
  PSOYBUSDM: { ...index(405, 0, 45), calm: 0.4 },
  PSUGAISAUSDM: { ...index(19, 0, 45), calm: 0.4 },
};
const MONTHS = { month: 1, quarter: 3 } as const;
const ROWS_MAX = 12_000;
const readFile = createGrowingFiles("\n");
/** From when growth counts. */
const BASE_MS = Date.UTC(2023, 0, 1);
const YEAR_MS = 365.25 * 86_400_000;

/** The first day of the period after the one that begins on a day. */
function nextStart(date: string, every: Shape["every"]): string {
  if (every === "day") return addDays(date, 1);
  if (every === "week") return addDays(date, 7);
  return toDate(Number(date.slice(0, 4)), Number(date.slice(5, 7)) + MONTHS[every], 1);
}

/** The first period that begins on a day or after it; weeks end on Saturdays. */
function firstStart(since: string, every: Shape["every"]): string {
  if (every === "day") return since;
  let date = since;
  const fits = (day: string): boolean =>
    every === "week"
      ? new Date(day).getUTCDay() === 6
      : day.endsWith("-01") && (every === "month" || (Number(day.slice(5, 7)) - 1) % 3 === 0);
  while (!fits(date)) date = addDays(date, 1);
  return date;
}

function listRows(world: SimulatedWorld, id: string, since: string): Grown {
  const shape = SHAPES[id];
  const rows: string[] = [];
  if (!shape) return { lines: rows, next: since };
  let date = firstStart(since, shape.every);
  for (let count = 0; count < ROWS_MAX; count += 1) {
    const next = nextStart(date, shape.every);
    const end = shape.every === "week" ? date : next;
    if (Date.parse(addDays(end, shape.lag_days)) + 12.5 * 3_600_000 > world.now()) break;
    const at_ms = Date.parse(date) + 19.5 * 3_600_000;
    const growth = (1 + (shape.growth ?? 0)) ** ((at_ms - BASE_MS) / YEAR_MS);
    const value = getSimulatedLevel(world, `fred ${id}`, { ...shape, at_ms }) * growth;
    // Holidays have a row without a value.
    const is_holiday = shape.every === "day" && ["01-01", "07-04", "12-25"].includes(date.slice(5));
    if (shape.every !== "day" || !isWeekend(date))
      rows.push(`${date},${is_holiday ? "" : value.toFixed(shape.decimals)}`);
    date = next;
  }
  return { lines: rows, next: date };
}

export const simulator = defineSimulator({
  provider: "fred",
  respond({ path, query }, world) {
    const id = query.get("id") ?? "";
    if (path !== "/graph/fredgraph.csv" || !Object.hasOwn(SHAPES, id)) {
      return { status: 404, text: "<!DOCTYPE html><html><body>Not found</body></html>" };
    }
    const since = query.get("cosd") ?? "2013-01-01";
    const rows = readFile(world, { name: id, since }, (day) => listRows(world, id, day));
    return { text: `observation_date,${id}\n${rows}` };
  },
});
