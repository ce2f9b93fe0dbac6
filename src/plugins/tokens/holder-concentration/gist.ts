import type { TellGist } from "intel-node";
import { RISK_LEVEL_WORDS } from "../written/words.ts";
import type { HolderConcentrationData } from "./schema.ts";

export const gist: TellGist<HolderConcentrationData> = (data, { en, pt, fig, day, name, word, opt }) => {
  const { token, top10_pct, top1_pct, top10_max_pct, band, source_depth } = data;
  const what = name(token?.symbol) ?? name(token?.address);
  const value = top10_pct ?? top10_max_pct ?? top1_pct;
  const level = word(RISK_LEVEL_WORDS, band);
  const [first, depth] = [fig(top1_pct, "pct", { label: "largest" }), fig(source_depth, "count")];
  return {
    headline: { value, unit: "pct", sense: level },
    text:
      en`${name("Ten")} holders have ${fig(value, "pct")} of ${what} on ${name(token?.chain)} on ${day()},
        concentration ${level}${opt(en`; the largest has ${first}`)}${opt(en`, by a list of ${depth} holders`)}` ??
      pt`${name("Dez")} detentores têm ${fig(value, "pct")} de ${what} na ${name(token?.chain)} em ${day()}, nível de
        concentração ${level}${opt(pt`; o maior tem ${first}`)}${opt(pt`, por uma lista de ${depth} detentores`)}`,
  };
};
