import type { TellGist } from "intel-node";
import type { WalletAuditData } from "./schema.ts";

export const gist: TellGist<WalletAuditData> = (data, { en, pt, fig, moment, name, opt, pick }) => {
  const { address, verdict, risk, confidence, profile } = data;
  const sure =
    confidence === "full"
      ? pick("every screen ran", "toda verificação rodou")
      : pick("some screens do not exist there", "algumas verificações não existem ali");
  const age = fig(profile?.age_days, "number", { decimals: 0, window: `${Math.round(profile?.age_days ?? 0)}d` });
  return {
    headline: { value: risk, unit: pick("of 100, risk", "de 100, risco"), sense: verdict },
    text:
      en`${name(address)} is ${name(verdict)} on ${moment()}, risk ${fig(risk, "index")} of ${name("100")}${opt(en`,
        with an age of ${age} days`)}; ${sure}` ??
      pt`${name(address)} recebe ${name(verdict)} em ${moment()}, risco ${fig(risk, "index")} de ${name("100")}
        ${opt(pt`, com ${age} dias de vida`)}; ${sure}`,
  };
};
