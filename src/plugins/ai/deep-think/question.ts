import { isSuspicious } from "intel-node";

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
