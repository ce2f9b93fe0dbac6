import type { TellGist } from "intel-node";
import type { CreditData } from "./schema.ts";

const BANDS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  blocked: ["blocked", "bloqueado"],
  very_poor: ["very poor", "muito ruim"],
  poor: ["poor", "ruim"],
  fair: ["fair", "regular"],
  good: ["good", "bom"],
  excellent: ["excellent", "excelente"],
};

export const gist: TellGist<CreditData> = (data, { en, pt, fig, share, day, name, word, opt, pick }) => {
  const { address, score, score_ceiling, band, coverage } = data;
  const sense = word(BANDS, band);
  const [most, known] = [fig(score_ceiling, "number"), share(coverage, { decimals: 0 })];
  return {
    headline: { value: score, unit: pick("points", "pontos"), sense },
    text:
      en`${name(address)} scores ${fig(score, "number")}, ${sense}, on ${day()}${opt(en`, of ${most} it could reach`)}
        ${opt(en`, with ${known} of the evidence known`)}` ??
      pt`${name(address)} tem ${fig(score, "number")} pontos, ${sense}, em ${day()}${opt(pt`, de ${most} que poderia
        ter`)}${opt(pt`, com ${known} das evidências conhecidas`)}`,
  };
};
