import { type Computed, type Draft, keepShown, missing, roundTo } from "intel-node";
import type { DeepThinkInputs } from "./fetch.ts";
import type { DeepThinkData, EstimateData } from "./schema.ts";

const OPINIONS_MIN = 2;
const HIGH_MAX = 10;
const MEDIUM_MAX = 25;

/** Median, ends and spread of some probabilities, percent; null for fewer than two. */
export function computeEstimate(opinions: readonly number[]): EstimateData | null {
  if (opinions.length < OPINIONS_MIN) return null;
  const sorted = opinions.toSorted((a, b) => a - b);
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const middle = sorted.length >> 1;
  const above = sorted[middle] ?? 0;
  const median = sorted.length % 2 === 1 ? above : ((sorted[middle - 1] ?? 0) + above) / 2;
  const spread = roundTo(high - low, 6);
  const agreement = spread <= HIGH_MAX ? "high" : spread <= MEDIUM_MAX ? "medium" : "low";
  const n = sorted.length;
  return { kind: "model_opinion", answer: "yes", probability_pct: median, low, high, spread, agreement, n };
}

/** The answer, with what its models thought of it apart from what they were shown. Pure. */
export function computeDeepThink(inputs: DeepThinkInputs): Computed<Draft<DeepThinkData>> {
  const { question, is_yes_no, sub_questions, analyses, writing, pack } = inputs;
  const { written } = writing;
  const opinions = analyses.flatMap(({ probability_pct }) => probability_pct ?? []);
  const estimate = is_yes_no ? computeEstimate(opinions) : null;
  const why = is_yes_no ? "fewer than two analysts gave one" : "the question is not one of yes or no";
  return {
    as_of_ms: inputs.as_of_ms,
    warnings: [...inputs.warnings, ...writing.warnings],
    data: {
      question,
      estimate: estimate ?? missing(why),
      sub_questions: [...sub_questions],
      analysts: analyses.map(({ provider_id, model, probability_pct }) => ({
        provider_id,
        model,
        probability_pct: is_yes_no ? probability_pct : null,
      })),
      sources_seen: pack.texts.filter(({ suspicious }) => !suspicious).length,
      sources_used: new Set(written.blocks.flatMap(({ sources }) => sources)).size,
      node_facts_used: [...new Set(written.blocks.flatMap(({ facts }) => facts))],
      ...keepShown(written),
    },
  };
}
