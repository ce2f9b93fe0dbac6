import { cleanForeign, getOwn } from "intel-node";

/** What a vendor says of a share, in the currency's major unit. */
export interface VendorQuote {
  readonly currency: string;
  readonly price: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly prev_close: number | null;
  readonly volume: number | null;
  readonly name: string | null;
  /** Time of the price; null when it states none. */
  readonly at_ms: number | null;
  /** Null when it states none. */
  readonly delay_minutes: number | null;
  /** Why a figure that the vendor usually states is null here: "<field>: <reason>". */
  readonly warnings?: readonly string[];
}

/** Pence, agorot and cents: how many make one unit of the currency. */
const MINOR: Readonly<Record<string, readonly [currency: string, units: number]>> = {
  GBp: ["GBP", 100],
  GBX: ["GBP", 100],
  ILA: ["ILS", 100],
  ZAc: ["ZAR", 100],
};

/** A price as a vendor states it. Before the first trade of a day its bar is zeros, which are not prices: null. */
export const readStatedPrice = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

const NAME_CHARS_MAX = 200;
/** A company's name is only shown: what is too long is cut. */
export const cutName = (name: string): string => cleanForeign(name, NAME_CHARS_MAX);

/**
 * A quote in minor units as one in major ones: 7345 GBp are 73.45 GBP. Volumes are shares and stay; of the day's prices
 * invalid ones are null.
 */
export function toMajorUnit(quote: VendorQuote): VendorQuote {
  const [currency, units] = getOwn(MINOR, quote.currency) ?? [quote.currency, 1];
  const divide = (value: number | null): number | null => {
    const stated = readStatedPrice(value);
    return stated === null ? null : stated / units;
  };
  const { open, high, low, prev_close, name } = quote;
  return {
    ...quote,
    currency,
    price: quote.price / units,
    name: name === null ? null : cutName(name),
    open: divide(open),
    high: divide(high),
    low: divide(low),
    prev_close: divide(prev_close),
  };
}

const NOTHING = new Set(["", "N/A", "--", "-", ".", "UNCH"]);

/** A number as vendors write it: "$227.55", "31,759,188", "(0.11)", "-0.65%"; null for their words for nothing. */
export function readVendorNumber(text: string | number | null | undefined): number | null {
  if (text === null || text === undefined || (typeof text === "string" && NOTHING.has(text.trim()))) return null;
  if (typeof text === "number") return Number.isFinite(text) ? text : null;
  const bare = text
    .trim()
    .replace(/^\((.*)\)$/, "-$1")
    .replaceAll(/[$,%\s]/g, "");
  return /^[+-]?\d+(\.\d+)?$/.test(bare) ? Number(bare) : null;
}

/** A change as vendors write it: "no change" has its own word. */
export const readVendorChange = (text: string | null | undefined): number | null =>
  text?.trim().toUpperCase() === "UNCH" ? 0 : readVendorNumber(text);
