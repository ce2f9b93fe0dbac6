import { getOwn, NodeError } from "intel-node";

const ALIASES: Readonly<Record<string, string>> = { IBOVESPA: "IBOV", "^BVSP": "IBOV", BVSP: "IBOV" };
const FORM = /^[A-Z][A-Z0-9]{3}\d{1,2}$/;
const NEAR_MAX = 5;
const ROOT_CHARS = 4;
/** Suggested without a look at what is stored: parameters are read before anything else. */
const WELL_KNOWN = [
  ...["PETR4", "PETR3", "VALE3", "ITUB4", "BBDC4", "BBAS3", "ITSA4", "B3SA3", "ABEV3", "WEGE3", "BOVA11", "EMBR3"],
  ...["SUZB3", "RENT3", "PRIO3", "BPAC11", "EQTL3", "RADL3", "VIVT3", "GGBR4"],
];

/** How many letters two tickers have in common at their beginning. */
const alike = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
};

/** Tickers with the same beginning, most similar first. */
export const findNear = (symbol: string, known: readonly string[]): readonly string[] =>
  known
    .map((other) => ({ other, length: alike(symbol, other) }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => b.length - a.length || (a.other < b.other ? -1 : 1))
    .slice(0, NEAR_MAX)
    .map(({ other }) => other);

/**
 * A ticker as B3 writes it.
 * @throws NodeError invalid_parameter for a text that is not a ticker.
 */
export function normaliseSymbol(text: string): string {
  const symbol = text.trim().toUpperCase().replace(/\.SA$/, "");
  const known = getOwn(ALIASES, symbol) ?? symbol;
  if (known === "IBOV" || FORM.test(known)) return known;
  const near = findNear(known, WELL_KNOWN);
  const hint = near.length > 0 ? `; near: ${near.join(", ")}` : ", such as PETR4 or IBOV";
  // Companies are known by their first four letters, which all of their shares have.
  const root = known.slice(0, ROOT_CHARS);
  const nearest = root.length < ROOT_CHARS ? undefined : WELL_KNOWN.find((ticker) => ticker.startsWith(root));
  throw new NodeError("invalid_parameter", `symbol is a ticker of B3${hint}.`, {
    param: "symbol",
    details: { parameter: "symbol", got: text, ...(nearest === undefined ? {} : { nearest }) },
  });
}
