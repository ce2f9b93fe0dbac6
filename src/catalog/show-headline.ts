import { type FactUnit, UNITS } from "../grounding/facts.ts";
import { showFact } from "../grounding/sentences.ts";
import type { NumberLocale } from "../text/parse-number.ts";
import type { GistHeadline } from "./gist.ts";

const isUnit = (unit: string | null): unit is FactUnit => UNITS.some((one) => one === unit);

const FACT = { label: "", kind: "level", about: null, window: null, from: "", as_of: "", id: "", name: "" } as const;

/** A headline's value with its unit, as a language writes it: "$54,050.29", "46,3%", "33 of 100"; null without one. */
export function showHeadlineValue(
  { value, unit }: Pick<GistHeadline, "value" | "unit">,
  locale: NumberLocale,
): string | null {
  if (typeof value !== "number") return value;
  // A share is read as a percentage.
  if (unit === "ratio") return showFact({ ...FACT, value: value * 100, unit: "pct" }, locale, { decimals: 1 });
  if (isUnit(unit)) return showFact({ ...FACT, value, unit }, locale);
  const shown = showFact({ ...FACT, value, unit: "number" }, locale);
  return unit === null ? shown : `${shown} ${unit}`;
}
