import { NodeError } from "intel-node";

/** Base and quote, ISO 4217: "EUR/USD". */
export type Pair = `${string}/${string}`;

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
 * A pair as people write it: "EUR/USD", "eurusd", "EUR-USD", or one code against the dollar.
 * @throws NodeError invalid_parameter for anything else, and for CNH, which is not CNY.
 */
export function parsePair(text: string): Pair {
  const letters = text
    .trim()
    .toUpperCase()
    .replace(/[\s/_-]/g, "");
  const single = isCode(letters) && letters !== "USD";
  const whole = single ? (QUOTED_IN_USD.includes(letters) ? `${letters}USD` : `USD${letters}`) : letters;
  const [base, quote] = [whole.slice(0, 3), whole.slice(3)];
  if (isCode(base) && isCode(quote) && base !== quote) return `${base}/${quote}`;
  const why = letters.includes("CNH") ? "CNH is not CNY, and is not offered" : "pair is two of these currencies";
  throw new NodeError("invalid_parameter", `${why}: ${CODES.join(", ")}; such as EUR/USD`, { param: "pair" });
}
