import type { TellGist } from "intel-node";
import type { ConsensusData } from "./schema.ts";

const VERDICTS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  agree: ["agree", "concordam"],
  mixed: ["differ", "divergem"],
  disagree: ["disagree", "discordam"],
};

export const gist: TellGist<ConsensusData> = (data, { en, pt, fig, moment, name, word, opt }) => {
  const { symbol, consensus_usd, range_bps, score, n_kept, n_fresh, verdict } = data;
  const sense = word(VERDICTS, verdict) ?? verdict?.replaceAll("_", " ") ?? null;
  const kept = fig(n_kept, "count");
  const fresh = fig(n_fresh, "count");
  const range = fig(range_bps, "bps");
  return {
    headline: { value: consensus_usd, unit: "usd", sense: en`sources ${sense}` ?? pt`fontes: ${sense}` },
    text:
      en`${name(symbol)} is worth ${fig(consensus_usd, "usd")} on ${moment()} by ${kept} of ${fresh} fresh sources${opt(
        en`, which lie within ${range}`,
      )}, agreement ${fig(score, "index")} of ${name("100")}` ??
      pt`${name(symbol)} vale ${fig(consensus_usd, "usd")} em ${moment()} por ${kept} de ${fresh} fontes atuais${opt(
        pt`, que ficam dentro de ${range}`,
      )}, concordância ${fig(score, "index")} de ${name("100")}`,
  };
};
