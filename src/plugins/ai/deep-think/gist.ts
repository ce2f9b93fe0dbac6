import type { TellGist } from "intel-node";
import type { DeepThinkData } from "./schema.ts";

export const gist: TellGist<DeepThinkData> = (data, { en, pt, fig, moment, name, opt, pick }) => {
  const { estimate, facts, sources_seen, sources_used } = data;
  const [first] = facts ?? [];
  const chance = fig(estimate?.probability_pct, "pct");
  const [seen, used] = [fig(sources_seen, "count"), fig(sources_used, "count")];
  return {
    headline: {
      value: estimate?.probability_pct ?? first?.value ?? null,
      unit: estimate ? "pct" : (first?.unit ?? null),
      sense: estimate ? pick("estimated chance", "chance estimada") : (first?.label ?? null),
    },
    text:
      en`The question was answered on ${moment()}${opt(en` with a chance of ${chance}`)}${opt(
        chance ? null : en`, resting on ${name(first?.label)} of ${fig(first?.value, first?.unit ?? "number")}`,
      )}, with ${used} of ${seen} sources used` ??
      pt`A pergunta foi respondida em ${moment()}${opt(pt` com chance de ${chance}`)}${opt(
        chance ? null : pt`, com base em ${name(first?.label)} de ${fig(first?.value, first?.unit ?? "number")}`,
      )}, com ${used} de ${seen} fontes usadas`,
  };
};
