import type { TellGist } from "intel-node";
import { VOTE_WORDS } from "../written/words.ts";
import type { CouncilData } from "./schema.ts";

export const gist: TellGist<CouncilData> = (data, { en, pt, fig, share, day, name, word, opt, pick }) => {
  const { symbol, verdict, score, dispersion, known_share } = data;
  const sense = word(VOTE_WORDS, verdict) ?? verdict;
  const apart = fig(dispersion, "number", { decimals: 1 });
  const known = share(known_share, { decimals: 0 });
  return {
    headline: { value: score, unit: pick("of 100", "de 100"), sense },
    text:
      en`The council on ${name(symbol)} is ${sense} on ${day()}: score ${fig(score, "number")}${opt(en`, dispersion
        ${apart}`)}${opt(en`, by seats of ${known} of the weight`)}` ??
      pt`O conselho sobre ${name(symbol)} está ${sense} em ${day()}: pontuação ${fig(score, "number")}${opt(pt`,
        dispersão ${apart}`)}${opt(pt`, por assentos com ${known} do peso`)}`,
  };
};
