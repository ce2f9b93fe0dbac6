import type { TimeChart } from "../../catalog/chart.ts";
import type { Language } from "../formats.ts";
import type { Words } from "../words.ts";

type Unit = TimeChart["unit"];

const MONTHS: Readonly<Record<Language, readonly string[]>> = {
  en: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  "pt-BR": ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"],
};

/** Labels of a time axis: months if every tick begins a month, else days. A bare year would be ambiguous. */
export function showTicks(ticks: readonly Date[], { language }: Words): readonly string[] {
  const by_month = ticks.every((tick) => tick.getUTCDate() === 1 && tick.getUTCHours() === 0);
  const by_day = ticks.every((tick) => tick.getUTCHours() === 0 && tick.getUTCMinutes() === 0);
  return ticks.map((tick) => {
    const month = MONTHS[language][tick.getUTCMonth()] ?? "";
    if (by_month) return `${month} ${tick.getUTCFullYear()}`;
    return by_day ? `${tick.getUTCDate()} ${month}` : tick.toISOString().slice(11, 16);
  });
}

interface ValueOptions {
  readonly unit: Unit;
  /** The most decimals shown; default 2. */
  readonly decimals?: number;
}

/** "$64,012", "-12.5 %", "0.42": with enough decimals to tell neighbouring values apart, at most `decimals`. */
export function showValue(value: number, { unit, decimals = 2 }: ValueOptions, words: Words): string {
  const limits = { maximumFractionDigits: unit === "usd" && Math.abs(value) >= 1_000 ? 0 : decimals };
  const text = words.number(Math.abs(value), limits);
  // A value shown as 0 has no minus sign.
  const sign = value < 0 && /[1-9]/.test(text) ? "-" : "";
  if (unit === "usd") return `${sign}${words.language === "en" ? "$" : "US$ "}${text}`;
  return unit === "percent" ? `${sign}${words.percent(Math.abs(value), decimals)}` : `${sign}${text}`;
}

/** The number of decimals in a step between ticks, at most 8. */
export const countDecimals = (step: number): number =>
  step > 0 ? Math.min(8, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))) : 0;
