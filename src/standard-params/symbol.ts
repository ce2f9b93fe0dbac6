import { getOwn } from "../core/own.ts";
import { createParam, type ParamOptions, type StandardParam } from "./parameter.ts";

/** Other names of assets, each with the ticker it means. */
export type SymbolAliases = Readonly<Record<string, string>>;

/** How the tickers of one product may be written. */
export interface TickerRules {
  /** Other names of the same asset: { XBT: "BTC" }. */
  readonly aliases?: SymbolAliases;
  /** Of pairs a buyer may name instead: BTC/USDT means BTC where USDT is one of them. */
  readonly quotes?: readonly string[];
  /** Whether a ticker is one that stands before a joined quote: BTCUSD is BTC, while PYUSD is itself. */
  readonly isKnown?: (ticker: string) => boolean;
}

const DOLLARS = ["USD", "USDT", "USDC"];
const SEPARATOR = /[/_-]/;

/** Brings "btc", " $BTC ", "XBT", "BTC/USD", "BTC-USDT" or "BTCUSDT" to "BTC". Whether there is one is not asked. */
export function toTicker(text: string, { aliases = {}, quotes = DOLLARS, isKnown }: TickerRules = {}): string {
  const given = text.trim().toUpperCase().replace(/^\$/, "");
  const known = (ticker: string): string => getOwn(aliases, ticker) ?? ticker;
  const [base = "", quote, ...more] = given.split(SEPARATOR);
  if (quote !== undefined) return more.length === 0 && base !== "" && quotes.includes(quote) ? known(base) : given;
  for (const one of quotes) {
    const joined = given.endsWith(one) ? given.slice(0, -one.length) : "";
    // No ticker ends with the name of a stablecoin but a pair's; one that ends with USD may be a stablecoin's own.
    if (joined.length >= 2 && (one.length > 3 || isKnown?.(known(joined)))) return known(joined);
  }
  return known(given);
}

export interface SymbolParamOptions<S extends string> extends ParamOptions, TickerRules {
  /** The tickers that are taken; without them any that can be one. */
  readonly allowed?: readonly S[];
  /** Some that are taken, for the refusal, where not all are listed. */
  readonly examples?: readonly string[];
}

const TICKER = /^[A-Z0-9.]{1,12}$/;

/** An asset by its ticker, in upper case. */
export function symbolParam<S extends string>(options: SymbolParamOptions<S>): StandardParam<S> {
  const { allowed, isKnown = (ticker) => allowed?.some((one) => one === ticker) === true } = options;
  return createParam<S>({
    name: "symbol",
    ...options,
    forms: "Case, a leading $ and a dollar behind it (/USD) do not matter.",
    chars_max: 20,
    read(text) {
      const ticker = toTicker(text, { ...options, isKnown });
      if (allowed) return allowed.find((one) => one === ticker) ?? null;
      // Any ticker is one of S without a named list.
      return TICKER.test(ticker) ? (ticker as S) : null;
    },
    wants: allowed ? `must be one of ${allowed.join(", ")}` : "must be a ticker such as BTC",
    allowed: allowed ?? options.examples,
  });
}
