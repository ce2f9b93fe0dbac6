import { defineFreeRoute } from "intel-node";
import { answerAlphaScore } from "./alpha-score.ts";

/** The same under the node's own name. */
export const route = defineFreeRoute({
  path: "/intel-alpha-score",
  locate: ({ brand }) => `/${brand}-alpha-score`,
  summary: "The same as /alpha-score",
  ttl: "1m",
  answer: answerAlphaScore,
});
