import type { TellGist } from "intel-node";
import type { GeoAlphaData } from "./schema.ts";

const BANDS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  calm: ["calm", "calmo"],
  normal: ["normal", "normal"],
  elevated: ["elevated", "elevado"],
  high: ["high", "alto"],
  extreme: ["extreme", "extremo"],
};

export const gist: TellGist<GeoAlphaData> = (data, { en, pt, fig, share, move, moment, name, word, opt, pick }) => {
  const { score, band, coverage, change_7d } = data;
  const sense = word(BANDS, band);
  const week = move(change_7d, "index", { window: "7d", decimals: 1 });
  const known = share(coverage, { decimals: 0 });
  return {
    headline: { value: score, unit: pick("of 100", "de 100"), sense },
    text:
      en`${name("Geopolitical stress")} stood at ${fig(score, "index", { decimals: 1 })} of ${name("100")}, ${sense},
        on ${moment()}${opt(en`, ${week} in 7d`)}${opt(en`, with ${known} of its parts known`)}` ??
      pt`${name("Tensão geopolítica")}: ${fig(score, "index", { decimals: 1 })} de ${name("100")}, ${sense}, em
        ${moment()}${opt(pt`, ${week} em 7d`)}${opt(pt`, com ${known} das partes conhecidas`)}`,
  };
};
