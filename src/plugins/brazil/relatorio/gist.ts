import type { TellGist } from "intel-node";
import type { RelatorioData } from "./schema.ts";

export const gist: TellGist<RelatorioData> = (data, { en, pt, fig, day, name, opt, pick }) => {
  const factOf = (wanted: string) => data.facts?.find((fact) => fact.name === wanted)?.value ?? null;
  const selic = factOf("selic");
  const risk = data.risks?.find(({ triggered }) => triggered);
  const [at, limit] = [fig(risk?.value, "number"), fig(risk?.threshold, "number")];
  return {
    headline: { value: selic, unit: "pct", sense: pick("Selic target", "meta da Selic") },
    text:
      en`The report on ${name("Brazil")} of ${day()} has the ${name("Selic")} target at ${fig(selic, "pct")}${opt(
        en` and warns of ${name(risk?.id)}, ${at} at a limit of ${limit}`,
      )}` ??
      pt`O relatório do ${name("Brasil")} de ${day()} traz a meta da ${name("Selic")} em ${fig(selic, "pct")}${opt(
        pt` e avisa de ${name(risk?.id)}, ${at} com limite de ${limit}`,
      )}`,
  };
};
