import { addBankDays, type Chart, type ChartLine } from "intel-node";
import { TENORS } from "../br-curve/schema.ts";

/** One term of the curve: its rate, and what it changed by. */
interface Point {
  readonly tenor: string;
  readonly nominal: number | null;
  readonly change_1d_bps: number | null;
  readonly change_5d_bps: number | null;
  readonly change_21d_bps: number | null;
}

interface Names {
  readonly title: string;
  readonly about: string;
  /** Of the day itself and of 1, 5 and 21 business days before. */
  readonly lines: readonly [now: string, day: string, week: string, month: string];
}
export const PORTUGUESE: Names = {
  title: "Curva de juros: DI por vencimento",
  about: "Cada ponto está no dia do vencimento. Calculada de ajustes públicos; não é taxa oficial.",
  lines: ["hoje", "dia útil anterior", "5 dias úteis antes", "21 dias úteis antes"],
};
export const ENGLISH: Names = {
  title: "DI curve by maturity",
  about: "Each point is at the day its term ends. Computed from public settlement prices; not an official rate.",
  lines: ["today", "business day before", "5 business days before", "21 business days before"],
};

const CHANGES = [null, "change_1d_bps", "change_5d_bps", "change_21d_bps"] as const;
const STEP_MS = 5 * 366 * 86_400_000;
const daysOf = (tenor: string): number | undefined =>
  Object.hasOwn(TENORS, tenor) ? TENORS[tenor as keyof typeof TENORS] : undefined;

/** The curve of a text's day with those of yesterday, last week and last month; no chart without a rate. */
export function drawWrittenCurve(date: string, points: readonly Point[], names: Names): readonly Chart[] {
  const placed = points.flatMap((point) => {
    const days = daysOf(point.tenor);
    return days === undefined ? [] : [{ ...point, at_ms: Date.parse(`${addBankDays(date, days)}T00:00:00Z`) }];
  });
  const lines = CHANGES.map((change, index): ChartLine => {
    const rates = placed.map((point): [number, number | null] => {
      const change_bps = change === null ? 0 : point[change];
      return [point.at_ms, point.nominal === null || change_bps === null ? null : point.nominal - change_bps / 100];
    });
    return { name: names.lines[index] ?? "", points: rates };
  }).filter((line) => line.points.some(([, rate]) => rate !== null));
  const { title, about } = names;
  return lines.length === 0 ? [] : [{ kind: "time", unit: "percent", step_ms: STEP_MS, title, about, lines }];
}

/** The same of a text's facts: `di_1y`, `di_1y_5d` and so on. */
export function drawCurveOfFacts(
  facts: readonly { readonly name: string; readonly value: number; readonly as_of: string }[],
  names: Names,
): readonly Chart[] {
  const rateOf = (name: string): number | null => facts.find((fact) => fact.name === name)?.value ?? null;
  const date = facts.find(({ name }) => name === "di_1y")?.as_of.slice(0, 10);
  if (date === undefined) return [];
  const points = Object.keys(TENORS).flatMap((tenor): Point[] => {
    const nominal = rateOf(`di_${tenor}`);
    if (nominal === null) return [];
    const change = (window: string): number | null => rateOf(`di_${tenor}_${window}`);
    return [
      { tenor, nominal, change_1d_bps: change("1d"), change_5d_bps: change("5d"), change_21d_bps: change("21d") },
    ];
  });
  return drawWrittenCurve(date, points, names);
}
