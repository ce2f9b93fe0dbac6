import type { TellGist } from "intel-node";
import type { BrazilBriefData } from "./schema.ts";

export const gist: TellGist<BrazilBriefData> = (data, { en, pt, fig, day, name, opt, pick }) => {
  const { selic_target_pct, ipca_12m_pct, ptax_sell, ibov_close } = data.numbers ?? {};
  const prices = fig(ipca_12m_pct, "pct", { window: "12m" });
  const dollar = fig(ptax_sell, "brl", { decimals: 4 });
  const index = fig(ibov_close, "index", { decimals: 0 });
  return {
    headline: { value: selic_target_pct ?? null, unit: "pct", sense: pick("Selic target", "meta da Selic") },
    text:
      en`${name("Brazil")} on ${day()} has the ${name("Selic")} target at ${fig(selic_target_pct, "pct")}${opt(en`,
        the ${name("IPCA")} of 12 months at ${prices}`)}${opt(
        en`, the dollar at ${dollar}`,
      )}${opt(en` and the ${name("Ibovespa")} at ${index} points`)}` ??
      pt`${name("Brasil")} em ${day()}: meta da ${name("Selic")} em ${fig(selic_target_pct, "pct")}${opt(pt`,
        ${name("IPCA")} de 12 meses em ${prices}`)}${opt(
        pt`, dólar a ${dollar}`,
      )}${opt(pt` e ${name("Ibovespa")} em ${index} pontos`)}`,
  };
};
