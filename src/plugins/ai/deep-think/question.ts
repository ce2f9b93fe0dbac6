import { isSuspicious, NodeError } from "intel-node";
import { COIN_NAMES } from "../shared/written/published-facts.ts";
import { DEFAULT_QUESTION, QUESTION_CHARS } from "./schema.ts";

/**
 * A question as models get it: no control characters, single spaces.
 * @throws NodeError invalid_parameter when it is too short or too long, or instructs a model instead of asking.
 */
export function parseQuestion(text: string = DEFAULT_QUESTION): string {
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

const NUMBER = /\d[\d.,]*/g;

/** Parts of a question as a model split it: none brings in a number that the buyer did not write. */
export const keepSubQuestions = (question: string, proposed: readonly string[]): readonly string[] =>
  [
    ...new Set(
      proposed.map((one) =>
        one
          .replace(/[\p{Cc}\p{Cf}]/gu, " ")
          .replace(/\s+/g, " ")
          .trim(),
      ),
    ),
  ]
    .filter((one) => one.length >= 3 && one.length <= 200 && one.split(" ").length <= 50)
    .filter((one) => !isSuspicious(one))
    .filter((one) => (one.match(NUMBER) ?? []).every((number) => question.includes(number.replace(/[.,]+$/, ""))));

const ASKS_YES_OR_NO =
  /(?:^|[.?!:;,]\s+)(?:will|is|are|was|were|does|do|did|can|could|should|has|have|had|would|may|might|vai|será|é)\s/i;

/** Whether a question is one of yes or no, by how a sentence of it begins. */
export const isYesNo = (question: string): boolean => question.endsWith("?") && ASKS_YES_OR_NO.test(question);
