import { getOwn } from "../core/own.ts";
import { createParam, type ParamOptions, type StandardParam } from "./parameter.ts";
import type { SymbolAliases } from "./symbol.ts";

export interface Pair<B extends string, Q extends string> {
  readonly base: B;
  readonly quote: Q;
}

export interface PairParamOptions<B extends string, Q extends string> extends ParamOptions {
  readonly bases: readonly B[];
  /** The first one is meant where the quote is left out. */
  readonly quotes: readonly [Q, ...Q[]];
  readonly aliases?: SymbolAliases;
}

const SEPARATOR = /[/_-]/;

/** A pair as the node writes it: "EUR/USD". */
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

/** Base and quote, such as BTC/USD. */
export function pairParam<B extends string, Q extends string>(
  options: PairParamOptions<B, Q>,
): StandardParam<Pair<B, Q>> {
  const { bases, quotes, aliases = {} } = options;
  const allowed = bases.flatMap((base) => quotes.map((quote) => renderPair({ base, quote })));
  return createParam<Pair<B, Q>>({
    name: "pair",
    ...options,
    forms: "BTC-USD, BTC_USD and btcusd are understood as well.",
    chars_max: 30,
    read(text) {
      for (const [base_text, quote_text] of split(text.toUpperCase().replace(/^\$/, ""), quotes)) {
        const base = bases.find((one) => one === (getOwn(aliases, base_text) ?? base_text));
        const quote = quotes.find((one) => one === quote_text);
        if (base !== undefined && quote !== undefined) return { base, quote };
      }
      return null;
    },
    wants: `must be one of ${allowed.join(", ")}`,
    allowed,
    near: (text) => {
      const base = text.toUpperCase().split(SEPARATOR)[0] ?? "";
      return allowed.find((one) => one.startsWith(`${getOwn(aliases, base) ?? base}/`));
    },
  });
}
