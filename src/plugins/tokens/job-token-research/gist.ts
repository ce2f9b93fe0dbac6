import type { TellGist } from "intel-node";
import type { TokenResearchData } from "./schema.ts";

export const gist: TellGist<TokenResearchData> = (data, { en, pt, fig, share, moment, name, opt, pick }) => {
  const { token, verdict, risk, coverage, basis } = data;
  const what = name(token?.symbol) ?? name(token?.address);
  const known = share(coverage, { decimals: 0 });
  return {
    headline: { value: risk, unit: pick("of 100, risk", "de 100, risco"), sense: verdict },
    text:
      en`${what} on ${name(token?.chain)} is judged ${name(verdict)} on ${moment()}, risk
        ${fig(risk, "index", { decimals: 0 })} of ${name("100")}${opt(
          en`, by ${name(basis)}`,
        )}${opt(en`, with ${known} of the evidence known`)}` ??
      pt`${what} na ${name(token?.chain)} recebe ${name(verdict)} em ${moment()}, risco
        ${fig(risk, "index", { decimals: 0 })} de ${name("100")}${opt(
          pt`, por ${name(basis)}`,
        )}${opt(pt`, com ${known} das evidências conhecidas`)}`,
  };
};
