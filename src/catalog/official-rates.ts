import { column } from "./table.ts";

/**
 * The columns of a table of official daily rates against the US dollar. A plugin that reads them keeps one as
 * `<plugin>/official-rates`, with the key `currency, kind, date`: `intel-node sales --currency` reads every such table.
 */
export const OFFICIAL_RATE_COLUMNS = {
  /** ISO 4217. */
  currency: column.text(),
  /** "buy", "sell" or "reference". */
  kind: column.text(),
  /** The day it was fixed for, YYYY-MM-DD. */
  date: column.text(),
  /** As it was published: units of the currency for one dollar, or dollars for one unit. */
  rate: column.text(),
  is_usd_per_unit: column.boolean(),
  /** Who published it, as shown. */
  source: column.text(),
  /** Whether the source was played by the sandbox. */
  simulated: column.boolean(),
} as const;

/** What the name of such a table ends with. */
export const OFFICIAL_RATES = "official-rates";
