import { Type } from "@sinclair/typebox";
import { isSuspicious, NodeError } from "intel-node";
import { COIN_NAMES } from "../written/published-facts.ts";

const QUESTION_CHARS = { min: 10, max: 1_000 } as const;

/** The parameter of a question; `description` says what about. */
export const createQuestionParam = (description: string, options: { readonly default?: string } = {}) =>
  Type.Optional(
    Type.String({
      description: `${description}, in 10 to 1,000 characters.`,
      ...options,
      minLength: QUESTION_CHARS.min,
      maxLength: 1_200,
      pattern: "^[^\\u0000]*$",
    }),
  );

/**
 * A question as models get it: no control characters, single spaces.
 * @throws NodeError invalid_parameter when it is too short or too long, or instructs a model instead of asking.
 */
export function parseQuestion(text: string): string {
  const question = text
    .normalize("NFKC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const refuse = (message: string) => new NodeError("invalid_parameter", message, { param: "question" });
  const { min, max } = QUESTION_CHARS;
  if (question.length < min || question.length > max) throw refuse(`question holds ${min} to ${max} characters`);
  if (isSuspicious(text)) throw refuse("question reads like an instruction to a model: ask what you want to know");
  return question;
}

/** The coin a question is about, whose council is heard; null when it names none. */
export function findCoin(question: string): string | null {
  const words = new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const isNamed = (name: string) => words.has(name.toLowerCase());
  // "Link" and "ada" are words too: these need their capitals.
  const exact = new Set(question.match(/\b[A-Z]{3,5}\b/g) ?? []);
  const found = Object.entries(COIN_NAMES).find(([symbol, names]) => exact.has(symbol) || names.some(isNamed));
  return found?.[0] ?? null;
}
