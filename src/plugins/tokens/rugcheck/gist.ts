import type { TellGist } from "intel-node";
import { tellKnown } from "../judge/known.ts";
import { RISK_LEVEL_WORDS } from "../written/words.ts";
import type { RugcheckData } from "./schema.ts";

export const gist: TellGist<RugcheckData> = (data, teller) => {
  const { en, pt, fig, moment, name, word, opt, pick } = teller;
  const { token, risk, risk_level, hard_fails, holders } = data;
  const what = name(token?.symbol) ?? name(token?.address);
  const level = word(RISK_LEVEL_WORDS, risk_level);
  const known = tellKnown(data, teller);
  const held = fig(holders?.top10_pct, "pct", { decimals: 1 });
  return {
    headline: { value: risk, unit: pick("of 100, risk", "de 100, risco"), sense: level },
    text:
      en`${what} on ${name(token?.chain)} has ${level} risk, ${fig(risk, "index", { decimals: 0 })} of ${name("100")},
        on ${moment()}${opt(
          en`, failing ${name(hard_fails?.[0]?.id)}`,
        )}${opt(en`; ${name("ten")} holders have ${held}`)}${opt(en`, with ${known}`)}` ??
      pt`${what} na ${name(token?.chain)} tem risco ${level}, ${fig(risk, "index", { decimals: 0 })} de
        ${name("100")}, em ${moment()}${opt(
          pt`, com falha em ${name(hard_fails?.[0]?.id)}`,
        )}${opt(pt`; ${name("dez")} detentores têm ${held}`)}${opt(pt`, com ${known}`)}`,
  };
};
