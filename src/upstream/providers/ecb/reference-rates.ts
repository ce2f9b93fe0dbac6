import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { isUnusable, type Unusable, unusable } from "../../../catalog/unusable.ts";
import { ecb } from "./provider.ts";

/** The euro's reference rate of a day. */
export interface ReferenceRate {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Units of the currency for 1 euro. */
  readonly rate: number;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const RATE = /^\d{1,9}(\.\d{1,10})?$/;
const TTL_MS = 1_800_000;

/** Rows by currency, oldest first, or why the file cannot be read. Columns are found by name: their order varies. */
export function readReferenceRates(text: string): ReadonlyMap<string, readonly ReferenceRate[]> | Unusable {
  if (!text.endsWith("\n")) return unusable("the file is cut off");
  const [head = "", ...lines] = text.replaceAll("\r", "").split("\n");
  const names = head.split(",");
  const [currency_at, date_at, value_at] = ["CURRENCY", "TIME_PERIOD", "OBS_VALUE"].map((name) => names.indexOf(name));
  if (currency_at === undefined || date_at === undefined || value_at === undefined) return unusable("no header");
  if (Math.min(currency_at, date_at, value_at) < 0) return unusable("a column is missing");
  const found = new Map<string, ReferenceRate[]>();
  for (const line of lines) {
    if (line === "") continue;
    const cells = line.split(",");
    const [currency, date, value] = [cells[currency_at] ?? "", cells[date_at] ?? "", cells[value_at] ?? ""];
    // A day on which a currency was not fixed has no value.
    if (value === "" || value === "NaN") continue;
    if (!DATE.test(date) || !RATE.test(value) || Number(value) <= 0)
      return unusable(`"${line.slice(0, 60)}" is no rate`);
    const rates = found.get(currency) ?? [];
    if (rates.length === 0) found.set(currency, rates);
    rates.push({ date, rate: Number(value) });
  }
  for (const rates of found.values()) rates.sort((a, b) => (a.date < b.date ? -1 : 1));
  return found.size > 0 ? found : unusable("no rates");
}

/**
 * Reference rates of currencies against the euro since a day, oldest first. Missing days stay missing.
 * @throws UpstreamError
 */
export function fetchReferenceRates(
  context: Pick<FetchContext, "get">,
  { currencies, since, ttl_ms = TTL_MS }: { currencies: readonly string[]; since: string; ttl_ms?: number },
): Promise<ReadonlyMap<string, readonly ReferenceRate[]>> {
  return context.get(ecb, {
    path: `/EXR/D.${currencies.join("+")}.EUR.SP00.A?format=csvdata&detail=dataonly&startPeriod=${since}`,
    format: "text",
    schema: Type.String({ minLength: 30 }),
    ttl_ms,
    read(text) {
      const rates = readReferenceRates(text);
      if (isUnusable(rates)) return rates;
      const missing = currencies.filter((currency) => !rates.has(currency));
      return missing.length === 0 ? rates : unusable(`no rates of ${missing.join(", ")}`);
    },
  });
}
