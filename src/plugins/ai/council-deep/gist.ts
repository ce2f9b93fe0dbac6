import type { TellGist } from "intel-node";
import { VOTE_WORDS } from "../written/words.ts";
import type { CouncilDeepData } from "./schema.ts";

export const gist: TellGist<CouncilDeepData> = (data, { en, pt, fig, day, name, word, opt, pick }) => {
  const { symbol, verdict, score, rule_verdict } = data;
  const sense = word(VOTE_WORDS, verdict) ?? verdict;
  const ruled = word(VOTE_WORDS, rule_verdict?.verdict);
  const by_rules = fig(rule_verdict?.score, "number");
  return {
    headline: { value: score, unit: pick("of 100", "de 100"), sense },
    text:
      en`The debate on ${name(symbol)} ended ${sense} on ${day()}: score ${fig(score, "number")}${opt(en`; plain rules
        say ${ruled} with ${by_rules}`)}` ??
      pt`O debate sobre ${name(symbol)} terminou ${sense} em ${day()}: pontuação ${fig(score, "number")}${opt(pt`;
        regras simples dizem ${ruled} com ${by_rules}`)}`,
  };
};
