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
  const { address, score, score_ceiling, band, coverage, screens } = data;
  const sense = word(BANDS, band);
  const [most, known] = [fig(score_ceiling, "number"), share(coverage, { decimals: 0 })];
  // Every factor can be known while a screen is not.
  const open = screens?.filter(({ status }) => status === "unknown").length ?? 0;
  const unknown = open === 0 ? null : fig(open, "count");
  const noun = open === 1 ? pick("screen", "triagem desconhecida") : pick("screens", "triagens desconhecidas");
  return {
    headline: { value: score, unit: pick("points", "pontos"), sense },
    text:
      en`${name(address)} scores ${fig(score, "number")}, ${sense}, on ${day()}${opt(en`, of ${most} it could reach`)}
        ${opt(en`, with ${known} of the points known${opt(en` and ${unknown} ${noun} not known`)}`)}` ??
      pt`${name(address)} tem ${fig(score, "number")} pontos, ${sense}, em ${day()}${opt(pt`, de ${most} que poderia
        ter`)}${opt(pt`, com ${known} dos pontos conhecidos${opt(pt` e ${unknown} ${noun}`)}`)}`,
  };
};
