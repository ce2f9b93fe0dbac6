import { invalid, readQuery } from "./query.ts";

/** Lines of the calculator's form. */
export const QUOTE_LINES = 3;
/** A month, as people plan. */
const QUOTE_DAYS = 30;
const DAYS_MAX = 3_660;
const CALLS_A_DAY_MAX = 250_000;

const SUFFIXES = ["", "_2", "_3"] as const;
type Suffix = (typeof SUFFIXES)[number];
const NAMES = [
  ...SUFFIXES.flatMap((suffix) => [`product${suffix}`, `calls${suffix}`] as const),
  "days",
  "lang",
] as const satisfies readonly (`product${Suffix}` | `calls${Suffix}` | "days" | "lang")[];

/** Calls that somebody plans, by the day. */
export interface PlannedDays {
  readonly lines: readonly { readonly product: string; readonly calls: number }[];
  readonly days: number;
}

/**
 * What the calculator's form asks, `product` and `calls` (a day) up to three times and `days`; a line without a product
 * or without calls is no line.
 * @throws NodeError invalid_parameter, unknown_parameter
 */
export function readQuoteForm(search: string): PlannedDays {
  const given = new URLSearchParams(search);
  // A form sends its empty fields, too.
  for (const [name, value] of [...given]) if (value === "") given.delete(name, value);
  const query = readQuery(given.toString(), NAMES);
  const lines = SUFFIXES.flatMap((suffix) => {
    const product = query.text(`product${suffix}`);
    const calls = query.whole(`calls${suffix}`, CALLS_A_DAY_MAX);
    return product === undefined || calls === undefined ? [] : [{ product, calls }];
  });
  return { lines, days: query.whole("days", DAYS_MAX) ?? QUOTE_DAYS };
}

/**
 * The same plan as the body that POST takes.
 * @throws NodeError invalid_parameter when nothing is planned
 */
export function toQuoteBody({ lines, days }: PlannedDays): unknown {
  if (lines.length === 0) throw invalid("product", 'a product of this node, with "calls" a day and "days"');
  return { calls: lines.map(({ product, calls }) => ({ product, count: calls * days })), period: `${days}d` };
}
