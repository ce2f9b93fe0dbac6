import type { TellGist } from "intel-node";
import type { EquityDossierData } from "./schema.ts";

const ZONES: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  distress: ["in distress", "em risco"],
  grey: ["in the grey zone", "na zona cinzenta"],
  safe: ["safe", "segura"],
};

export const gist: TellGist<EquityDossierData> = (data, { en, pt, fig, share, day, name, word, opt, pick }) => {
  const { company, ttm, ratios, piotroski, altman, as_of_period } = data;
  const is_usd = company?.reporting_currency === "USD";
  const revenue = is_usd
    ? fig(ttm?.revenue, "usd", { large: true })
    : (en`${fig(ttm?.revenue, "number", { large: true })} ${name(company?.reporting_currency)}` ??
      pt`${fig(ttm?.revenue, "number", { large: true })} ${name(company?.reporting_currency)}`);
  const zone = word(ZONES, altman?.zone);
  const margin = share(ratios?.net_margin);
  const [passed, asked] = [fig(piotroski?.score, "count"), fig(piotroski?.evaluated, "count")];
  return {
    headline: {
      value: ttm?.revenue ?? null,
      unit: is_usd ? "usd" : (company?.reporting_currency ?? null),
      sense: pick("revenue of 12 months", "receita de 12 meses"),
    },
    text:
      en`${name(company?.symbol)} sold for ${revenue} in the year to ${day(as_of_period)}${opt(en`, keeping ${margin}
        as profit`)}${opt(
        en`; its balance reads ${zone} by ${name("Altman")}`,
      )}${opt(en`, and ${passed} of ${asked} checks of strength pass`)}` ??
      pt`${name(company?.symbol)} vendeu ${revenue} no ano até ${day(as_of_period)}${opt(pt`, com ${margin} de
        lucro`)}${opt(
        pt`; o balanço é de empresa ${zone} por ${name("Altman")}`,
      )}${opt(pt`, e ${passed} de ${asked} testes de solidez passam`)}`,
  };
};
