import { NodeError } from "intel-node";
import { findNearPair, readNamedPair } from "./names.ts";

/** Base and quote, ISO 4217: "EUR/USD". */
export type CurrencyPair = `${string}/${string}`;

/** Currencies the ECB fixes against the euro, and the euro. */
const CODES = [
  ...["EUR", "USD", "JPY", "GBP", "CHF", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "ISK"],
  ...["TRY", "BRL", "CNY", "HKD", "IDR", "ILS", "INR", "KRW", "MXN", "MYR", "PHP", "SGD", "THB", "ZAR"],
] as const;
/** Whether a text is the code of a currency that is offered. */
export const isCode = (text: string): boolean => CODES.some((code) => code === text);

/** Currencies that are quoted in dollars, not dollars in them. */
const QUOTED_IN_USD = ["EUR", "GBP", "AUD", "NZD"];

/**
 * A pair as people write it: "EUR/USD", "eurusd", "EUR-USD", "dólar/real", or one currency against the dollar.
 * @throws NodeError invalid_parameter for anything else, and for CNH, which is not CNY.
 */
export function parsePair(text: string): CurrencyPair {
  const written = text
    .trim()
    .toUpperCase()
    .replace(/[\s/_-]/g, "");
  const letters = isPair(written) ? written : (readNamedPair(text) ?? written);
  const single = isCode(letters) && letters !== "USD";
  const whole = single ? (QUOTED_IN_USD.includes(letters) ? `${letters}USD` : `USD${letters}`) : letters;
  const [base, quote] = [whole.slice(0, 3), whole.slice(3)];
  if (isCode(base) && isCode(quote) && base !== quote) return `${base}/${quote}`;
  const why = letters.includes("CNH") ? "CNH is not CNY, and is not offered" : "pair is two of these currencies";
  const nearest = letters === "USD" ? "USD/BRL" : findNearPair(letters, CODES);
  throw new NodeError("invalid_parameter", `${why}: ${CODES.join(", ")}.`, {
    param: "pair",
    details: { parameter: "pair", got: text.slice(0, 40), allowed: CODES, ...(nearest === null ? {} : { nearest }) },
  });
}

const isPair = (letters: string): boolean => isCode(letters.slice(0, 3)) && isCode(letters.slice(3));
