import type { TellGist } from "intel-node";
import { RISK_LEVEL_WORDS } from "../shared/words.ts";
import type { RugcheckData } from "./schema.ts";

export const gist: TellGist<RugcheckData> = (data, { en, pt, fig, share, moment, name, word, opt, pick }) => {
  const { token, risk, risk_level, coverage, hard_fails, holders } = data;
  const what = name(token?.symbol) ?? name(token?.address);
  const level = word(RISK_LEVEL_WORDS, risk_level);
  const known = share(coverage, { decimals: 0 });
  const held = fig(holders?.top10_pct, "pct", { decimals: 1 });
  return {
    headline: { value: risk, unit: pick("of 100, risk", "de 100, risco"), sense: level },
    text:
      en`${what} on ${name(token?.chain)} has ${level} risk, ${fig(risk, "index", { decimals: 0 })} of ${name("100")},
        on ${moment()}${opt(
          en`, failing ${name(hard_fails?.[0]?.id)}`,
        )}${opt(en`; ${name("ten")} holders have ${held}`)}${opt(en`, with ${known} of the evidence known`)}` ??
      pt`${what} na ${name(token?.chain)} tem risco ${level}, ${fig(risk, "index", { decimals: 0 })} de
        ${name("100")}, em ${moment()}${opt(
          pt`, com falha em ${name(hard_fails?.[0]?.id)}`,
        )}${opt(pt`; ${name("dez")} detentores têm ${held}`)}${opt(pt`, com ${known} das evidências conhecidas`)}`,
  };
};
