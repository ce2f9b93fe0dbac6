/** An exchange of /world-quote, with how the world spells its symbols. */
export interface Market {
  readonly code: string;
  readonly mic: string;
  readonly name: string;
  readonly currency: string;
  /** Yahoo's suffixes; the first one is the usual. */
  readonly suffixes: readonly string[];
  /** CNBC's suffix of a symbol; null where it has none. */
  readonly cnbc: string | null;
  /** A local symbol once it is normalised. */
  readonly pattern: RegExp;
}

const LETTERS = /^[A-Z0-9]{1,6}(\.[A-Z]{1,2})?$/;
/** Code, MIC, name. */
type Names = readonly [code: string, mic: string, name: string];
const market = (
  [code, mic, name]: Names,
  { suffix, ...rest }: Partial<Market> & { readonly currency: string; readonly suffix: string },
): Market => ({
  code,
  mic,
  name,
  currency: rest.currency,
  suffixes: rest.suffixes ?? [suffix],
  cnbc: rest.cnbc ?? null,
  pattern: rest.pattern ?? LETTERS,
});

export const MARKETS: readonly Market[] = [
  market(["LSE", "XLON", "London"], { currency: "GBP", suffix: ".L", cnbc: "-GB" }),
  market(["XETR", "XETR", "Xetra Frankfurt"], { currency: "EUR", suffix: ".DE", cnbc: "-DE" }),
  market(["PAR", "XPAR", "Euronext Paris"], { currency: "EUR", suffix: ".PA", cnbc: "-FR" }),
  market(["AMS", "XAMS", "Euronext Amsterdam"], { currency: "EUR", suffix: ".AS", cnbc: "-NL" }),
  market(["SIX", "XSWX", "SIX Swiss Exchange"], { currency: "CHF", suffix: ".SW", cnbc: "-CH" }),
  market(["MIL", "XMIL", "Borsa Italiana"], { currency: "EUR", suffix: ".MI", cnbc: "-IT" }),
  market(["BME", "XMAD", "Madrid"], { currency: "EUR", suffix: ".MC", cnbc: "-ES" }),
  market(["STO", "XSTO", "Nasdaq Stockholm"], { currency: "SEK", suffix: ".ST", cnbc: "-SE" }),
  market(["TSE", "XTKS", "Tokyo"], {
    currency: "JPY",
    suffix: ".T",
    cnbc: ".T-JP",
    pattern: /^[0-9][0-9A-Z][0-9][0-9A-Z]$/,
  }),
  market(["HKEX", "XHKG", "Hong Kong"], { currency: "HKD", suffix: ".HK", cnbc: "-HK", pattern: /^[1-9][0-9]{0,4}$/ }),
  market(["SSE", "XSHG", "Shanghai and Shenzhen"], {
    currency: "CNY",
    suffix: ".SS",
    suffixes: [".SS", ".SZ"],
    cnbc: "-CN",
    pattern: /^[0-9]{6}$/,
  }),
  market(["NSE", "XNSE", "National Stock Exchange of India"], {
    currency: "INR",
    suffix: ".NS",
    cnbc: "-IN",
    pattern: /^[A-Z0-9&]{1,12}(-[A-Z]{2})?$/,
  }),
  market(["KRX", "XKRX", "Korea"], { currency: "KRW", suffix: ".KS", suffixes: [".KS", ".KQ"], pattern: /^[0-9]{6}$/ }),
  market(["TWSE", "XTAI", "Taiwan"], {
    currency: "TWD",
    suffix: ".TW",
    suffixes: [".TW", ".TWO"],
    cnbc: "-TW",
    pattern: /^[0-9]{4,6}$/,
  }),
  market(["ASX", "XASX", "Australia"], { currency: "AUD", suffix: ".AX", cnbc: "-AU" }),
  market(["TSX", "XTSE", "Toronto"], { currency: "CAD", suffix: ".TO", cnbc: "-CA" }),
];
export const MARKET_CODES: readonly string[] = MARKETS.map(({ code }) => code);

/** A market by its code, its MIC or its Yahoo suffix, in any case. */
export function findMarket(text: string): Market | undefined {
  const name = text.trim().toUpperCase();
  const by_suffix = (one: Market) => one.suffixes.some((suffix) => suffix === name || suffix === `.${name}`);
  return MARKETS.find((one) => one.code === name || one.mic === name) ?? MARKETS.find(by_suffix);
}

/** The market whose suffix a symbol carries, and the symbol without it. */
export function splitSymbol(text: string): { readonly local: string; readonly market: Market | null } {
  const symbol = text.trim().toUpperCase();
  const suffixes = MARKETS.flatMap((one) => one.suffixes.map((suffix) => ({ one, suffix })));
  const longest = suffixes.toSorted((a, b) => b.suffix.length - a.suffix.length);
  const found = longest.find(({ suffix }) => symbol.endsWith(suffix) && symbol.length > suffix.length);
  return found ? { local: symbol.slice(0, -found.suffix.length), market: found.one } : { local: symbol, market: null };
}

/** A local symbol in canonical form: share classes after a dot, Hong Kong without leading zeros. Null when invalid. */
export function normaliseSymbol({ code, pattern }: Market, local: string): string | null {
  const dotted = code === "NSE" ? local : local.replace(/[- ]([A-Z]{1,2})$/, ".$1");
  const symbol = code === "HKEX" && /^[0-9]{1,5}$/.test(dotted) ? dotted.replace(/^0+/, "") : dotted;
  return pattern.test(symbol) ? symbol : null;
}

/** As Yahoo spells it: Hong Kong with four digits, classes after a dash, Shenzhen by its leading digit. */
export function toYahoo({ code, suffixes }: Market, symbol: string): string {
  const [usual = ""] = suffixes;
  if (code === "HKEX") return `${symbol.padStart(4, "0")}${usual}`;
  if (code === "SSE" && /^[023]/.test(symbol)) return `${symbol}.SZ`;
  return `${symbol.replace(".", "-")}${usual}`;
}

/** London's own codes have three characters: those of two end with a dot, such as "BP.". */
const LONDON_SHORT = /^[A-Z0-9]{2}$/;

/**
 * As CNBC spells it: the symbol with its exchange behind it, "BP.-GB"; null where it has none. The dot is as other
 * clients ask (public text index 59654558325, "250 symbols tried"); CNBC's answer to it was not seen.
 */
export function toCNBC({ code, cnbc }: Market, symbol: string): string | null {
  if (cnbc === null) return null;
  return `${symbol}${code === "LSE" && LONDON_SHORT.test(symbol) ? "." : ""}${cnbc}`;
}
