import { NodeError } from "../../../../core/errors.ts";
import { getCanonicalSymbol } from "./symbol.ts";

export interface Pair<B extends string, Q extends string> {
  readonly base: B;
  readonly quote: Q;
}

interface PairChoice<B extends string, Q extends string> {
  readonly bases: readonly B[];
  /** The first one is meant where the quote is left out. */
  readonly quotes: readonly [Q, ...Q[]];
  /** Name of the parameter, for the error. */
  readonly parameter?: string;
}

const SEPARATOR = /[/_-]/;
const PAIRS_SHOWN_MAX = 100;

export const renderPair = ({ base, quote }: Pair<string, string>): string => `${base}/${quote}`;

/** Every way to cut the text into base and quote; a text without a separator may end with one of the quotes. */
function* split(text: string, quotes: readonly string[]): Generator<readonly [base: string, quote: string]> {
  const parts = text.split(SEPARATOR);
  if (parts.length > 2) return;
  const [base = "", quote] = parts;
  if (quote !== undefined) {
    yield [base, quote];
    return;
  }
  yield [base, quotes[0] ?? ""];
  for (const one of quotes) if (base.endsWith(one)) yield [base.slice(0, -one.length), one];
}

/**
 * Brings "btc", "$BTC", "XBT-USD", "BTC_USDT" or "btcusdt" to a base and a quote among those offered.
 * @throws NodeError invalid_parameter, listing the offered pairs.
 */
export function parsePair<B extends string, Q extends string>(
  text: string,
  { bases, quotes, parameter = "pair" }: PairChoice<B, Q>,
): Pair<B, Q> {
  const given = text.trim().toUpperCase().replace(/^\$/, "");
  for (const [base_text, quote_text] of split(given, quotes)) {
    const base = bases.find((one) => one === getCanonicalSymbol(base_text));
    const quote = quotes.find((one) => one === quote_text);
    if (base !== undefined && quote !== undefined) return { base, quote };
  }
  const allowed = bases.flatMap((base) => quotes.map((quote) => renderPair({ base, quote })));
  throw new NodeError("invalid_parameter", `Parameter "${parameter}" must be one of ${allowed.join(", ")}.`, {
    param: parameter,
    details: { parameter, got: text.slice(0, 100), allowed: allowed.slice(0, PAIRS_SHOWN_MAX) },
  });
}
