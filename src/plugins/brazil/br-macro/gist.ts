import type { TellGist } from "intel-node";
import type { MacroData } from "./schema.ts";

export const gist: TellGist<MacroData> = (data, { en, pt, fig, day, name, opt, pick }) => {
  const { selic, inflation, fx } = data;
  const prices = fig(inflation?.ipca_12m, "pct", { window: "12m" });
  const aim = fig(inflation?.target, "pct");
  const dollar = fig(fx?.ptax_sell, "brl", { decimals: 4 });
  return {
    headline: { value: selic?.target_pct ?? null, unit: "pct", sense: pick("Selic target", "meta da Selic") },
    text:
      en`${name("Brazil's")} ${name("Selic")} target is ${fig(selic?.target_pct, "pct")} on ${day()}${opt(
        en`, the ${name("IPCA")} of 12 months ${prices} against a target of ${aim}`,
      )}${opt(en`, and the dollar at ${dollar} by ${name("PTAX")} of ${day(fx?.date ?? null)}`)}` ??
      pt`A meta da ${name("Selic")} no ${name("Brasil")} é ${fig(selic?.target_pct, "pct")} em ${day()}${opt(
        pt`, o ${name("IPCA")} de 12 meses ${prices} contra uma meta de ${aim}`,
      )}${opt(pt`, e o dólar a ${dollar} pela ${name("PTAX")} de ${day(fx?.date ?? null)}`)}`,
  };
};
