import { NodeError } from "intel-node";

export const DEFAULT_QUERY = "x402 payments";
const CHARS_MAX = 400;
const WORDS_MAX = 50;

/**
 * A query as engines get it: no control characters, single spaces. Operators such as "site:" and quotes stay.
 * @throws NodeError invalid_parameter when it is empty, or longer than 400 characters or 50 words.
 */
export function parseQuery(text: string): string {
  const q = text
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const words = q === "" ? 0 : q.split(" ").length;
  if (words >= 1 && words <= WORDS_MAX && q.length <= CHARS_MAX) return q;
  const message = `q holds 1 to ${CHARS_MAX} characters and at most ${WORDS_MAX} words`;
  throw new NodeError("invalid_parameter", message, { param: "q" });
}
