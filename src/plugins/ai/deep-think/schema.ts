import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, oneOf, text, WRITTEN_FIELDS } from "intel-node";
import { createQuestionParam } from "../questions/question.ts";

export const DEFAULT_QUESTION = "What is the most important change in crypto and macro markets over the last 24 hours?";
export const SUB_QUESTIONS_MAX = 4;
export const SOURCES_MAX = 20;

export const DeepThinkParams = Type.Object(
  {
    question: createQuestionParam("What to think about: markets, macro, crypto or technology", {
      default: DEFAULT_QUESTION,
    }),
  },
  closed,
);

const percent = (description: string) => Type.Number({ description, minimum: 0, maximum: 100, decimals: 1 });

export const Estimate = Type.Object(
  {
    kind: Type.Literal("model_opinion", { description: "Whose it is: models', not a measurement." }),
    answer: Type.Literal("yes", {
      description: "What it is the probability of: that `question` is answered with this.",
    }),
    probability_pct: percent("Median of what the analysts said of that answer, percent."),
    low: percent("The lowest of them."),
    high: percent("The highest of them."),
    spread: percent("high less low."),
    agreement: oneOf(["high", "medium", "low"] as const, "high: spread of 10 points at most; medium: 25; low: more."),
    n: count("Analysts who gave one."),
  },
  closed,
);

export const DeepThinkSchema = Type.Object(
  {
    question: text("The question as it was asked. Text of the buyer."),
    estimate: nullable(Estimate, "For questions of yes or no", "for others, and with fewer than two opinions"),
    sub_questions: Type.Array(Type.String({ maxLength: 200 }), {
      description: "What was searched for, as a model split the question.",
      maxItems: SUB_QUESTIONS_MAX,
    }),
    analysts: Type.Array(
      Type.Object(
        {
          provider_id: text("Which configured model."),
          model: text("What its host calls it."),
          probability_pct: nullable(
            percent("How probable it holds the answer yes, percent."),
            "How probable it holds the answer yes, percent; null where it gave none.",
          ),
        },
        closed,
      ),
      { description: "Whose analyses passed the guard whole.", minItems: 2, maxItems: 3 },
    ),
    sources_seen: count("Texts the models were shown."),
    sources_used: count("Those the answer quotes."),
    node_facts_used: Type.Array(Type.String(), { description: "Ids of the facts the answer shows.", maxItems: 400 }),
    ...WRITTEN_FIELDS,
  },
  closed,
);
export type DeepThinkData = Static<typeof DeepThinkSchema>;
export type EstimateData = Static<typeof Estimate>;
