/** A unit at the end of field names. */
export interface ShownUnit {
  readonly suffix: string;
  /** Form after a number: "%". */
  readonly short: string;
  /** Form in a table of fields: "percent (1.5 = 1.5 %)". */
  readonly told: string;
}

/** Longer suffixes first: "_usd_pct" is a percentage. */
const UNITS: readonly ShownUnit[] = [
  { suffix: "_sat_vb", short: "sat/vB", told: "satoshi per virtual byte" },
  { suffix: "_microlamports", short: "µlamports", told: "millionths of a lamport per compute unit" },
  { suffix: "_lamports", short: "lamports", told: "lamports" },
  { suffix: "_atomic", short: "atomic", told: "integer in the asset's smallest unit" },
  { suffix: "_seconds", short: "s", told: "seconds" },
  { suffix: "_ratio", short: "", told: "ratio" },
  { suffix: "_frac", short: "", told: "fraction, 0.5 = 50 %" },
  { suffix: "_gwei", short: "gwei", told: "gwei" },
  { suffix: "_days", short: "d", told: "days" },
  { suffix: "_bps", short: "bps", told: "basis points, 100 = 1 %" },
  { suffix: "_pct", short: "%", told: "percent, 1.5 = 1.5 %" },
  { suffix: "_usd", short: "USD", told: "US dollars" },
  { suffix: "_brl", short: "BRL", told: "Brazilian reais" },
  { suffix: "_btc", short: "BTC", told: "bitcoin" },
  { suffix: "_sat", short: "sat", told: "satoshi" },
  { suffix: "_wei", short: "wei", told: "wei" },
  { suffix: "_ms", short: "ms", told: "milliseconds" },
  { suffix: "_at", short: "", told: "time, ISO 8601, UTC" },
  { suffix: "_h", short: "h", told: "hours" },
  { suffix: "_s", short: "s", told: "seconds" },
];

/** The unit at the end of a field's name; null without one. */
export const unitOf = (name: string): ShownUnit | null =>
  UNITS.find(({ suffix }) => name.length > suffix.length && name.endsWith(suffix)) ?? null;
