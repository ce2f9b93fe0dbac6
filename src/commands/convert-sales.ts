import { join } from "node:path";
import type { NamedPeriod } from "../core/named-period.ts";
import { type OfficialRate, readOfficialRates } from "../stores/official-rates.ts";

/** A second currency, with its official rate on each day. */
export interface Conversion {
  readonly currency: string;
  /** The rate valid on a day, YYYY-MM-DD; null if none was published on that day or in the week before. */
  rateOn(day: string): OfficialRate | null;
}

const DAY_MS = 86_400_000;
/** Oldest valid rate: on weekends and holidays the last earlier rate holds, and no central bank closes longer. */
const DAYS_BACK = 7;
const CURRENCY = /^([A-Z]{3})(?::(buy|sell|reference))?$/;
/** Default kind of rate: income is converted at the central bank's buying rate. */
const KINDS = ["reference", "buy", "sell"] as const;

const read = (text: string) => CURRENCY.exec(text.toUpperCase().replace(/:.*$/, (kind) => kind.toLowerCase()));
/** Whether a text names a currency, with or without a kind of rate. */
export const isCurrency = (text: string): boolean => read(text) !== null;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * The rates of a period, as kept by this node.
 * @param text such as "BRL", or "BRL:sell".
 * @returns null when the text names no currency.
 */
export function openConversion(text: string, directory: string, { from_ms, until_ms }: NamedPeriod): Conversion | null {
  const [, currency, wanted] = read(text) ?? [];
  if (currency === undefined) return null;
  const span = { from: dayOf(from_ms - DAYS_BACK * DAY_MS), to: dayOf(until_ms - 1) };
  const all = readOfficialRates(join(directory, "kept.db"), { currency, ...span });
  const kind = wanted ?? KINDS.find((one) => all.some((rate) => rate.kind === one));
  const by_day = new Map(all.filter((rate) => rate.kind === kind).map((rate) => [rate.date, rate]));
  return {
    currency,
    rateOn(day) {
      for (let back = 0; back <= DAYS_BACK; back++) {
        const rate = by_day.get(dayOf(Date.parse(`${day}T00:00:00Z`) - back * DAY_MS));
        if (rate !== undefined) return rate;
      }
      return null;
    },
  };
}

/** Converts atomic USDC into millionths of the other currency, rounded half away from zero, without floats. */
export function convert(amount: bigint, { rate, is_usd_per_unit }: OfficialRate): bigint {
  const [whole = "0", places = ""] = rate.split(".");
  const [scaled, scale] = [BigInt(whole + places), 10n ** BigInt(places.length)];
  const size = amount < 0n ? -amount : amount;
  const [over, under] = is_usd_per_unit ? [size * scale, scaled] : [size * scaled, scale];
  const rounded = (2n * over + under) / (2n * under);
  return amount < 0n ? -rounded : rounded;
}
