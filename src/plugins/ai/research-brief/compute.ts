import { type Computed, type Draft, keepShown, missing, renderMarkdown, renderTime } from "intel-node";
import type { ResearchInputs } from "./fetch.ts";
import { type Candidate, findSimilarDays } from "./metrics.ts";
import { getQuantile } from "./prose.ts";
import type { ResearchData } from "./schema.ts";

const describe = ({ id, label, about, value, unit, z }: Candidate): ResearchData["topic"] => ({
  id,
  metric: label,
  asset: about,
  value,
  unit,
  z,
});

const NO_HISTORY = "an oddity has no daily history";

/** The brief, with what it was chosen from. Pure. */
export function computeResearch(inputs: ResearchInputs): Computed<Draft<ResearchData>> {
  const { kind, topic, runners_up, scanned, writing, as_of_ms } = inputs;
  const { metric } = topic;
  const at = (share: number) => getQuantile(metric?.history ?? [], share);
  const { written } = writing;
  return {
    as_of_ms,
    warnings: [
      ...inputs.warnings,
      ...(inputs.anomalies_known ? [] : ["scanned: /anomalias could not be had"]),
      ...(inputs.missing.length === 0 ? [] : [`scanned: without ${inputs.missing.join(", ")}, whose bars are missing`]),
      ...writing.warnings,
    ],
    data: {
      question: inputs.question,
      kind,
      topic: describe(topic),
      runners_up: runners_up.map(describe),
      scanned,
      quantiles: metric
        ? { p5: at(0.05), p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95) }
        : missing(NO_HISTORY),
      similar_days: metric ? [...findSimilarDays(metric, topic.z)] : missing(NO_HISTORY),
      markdown: renderMarkdown(
        `Research brief, ${renderTime(as_of_ms).slice(0, 10)}`,
        written.blocks.map(({ id, text }) => ({ heading: id.replaceAll("_", " "), text })),
      ),
      ...keepShown(written),
    },
  };
}
