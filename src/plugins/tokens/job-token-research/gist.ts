import type { TellGist } from "intel-node";
import { tellKnown } from "../judge/known.ts";
import type { TokenResearchData } from "./schema.ts";

export const gist: TellGist<TokenResearchData> = (data, teller) => {
  const { en, pt, fig, moment, name, opt, pick } = teller;
  const { token, verdict, risk, basis } = data;
  const what = name(token?.symbol) ?? name(token?.address);
  const known = tellKnown(data, teller);
  return {
    headline: { value: risk, unit: pick("of 100, risk", "de 100, risco"), sense: verdict },
    text:
      en`${what} on ${name(token?.chain)} is judged ${name(verdict)} on ${moment()}, risk
        ${fig(risk, "index", { decimals: 0 })} of ${name("100")}${opt(
          en`, by ${name(basis)}`,
        )}${opt(en`, with ${known}`)}` ??
      pt`${what} na ${name(token?.chain)} recebe ${name(verdict)} em ${moment()}, risco
        ${fig(risk, "index", { decimals: 0 })} de ${name("100")}${opt(
          pt`, por ${name(basis)}`,
        )}${opt(pt`, com ${known}`)}`,
  };
};
