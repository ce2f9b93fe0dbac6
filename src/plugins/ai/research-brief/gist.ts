import type { TellGist } from "intel-node";
import type { ResearchData } from "./schema.ts";

export const gist: TellGist<ResearchData> = (data, { en, pt, fig, day, name, opt }) => {
  const { topic, scanned } = data;
  const unit = topic?.unit === "pct" ? "pct" : "number";
  const count = fig(scanned, "count");
  return {
    headline: { value: topic?.value ?? null, unit, sense: topic?.metric ?? null },
    text:
      en`${name(topic?.metric)} at ${fig(topic?.value, unit)} is what stands out on ${day()},
        ${fig(topic?.z, "number", { decimals: 1 })} deviations off its usual level${opt(
          en`, of ${count} series scanned`,
        )}` ??
      pt`${name(topic?.metric)} em ${fig(topic?.value, unit)} é o que se destaca em ${day()}, a
        ${fig(topic?.z, "number", { decimals: 1 })} desvios do nível usual${opt(pt`, de ${count} séries lidas`)}`,
  };
};
