import type { TellGist } from "intel-node";
import type { WebSearchData } from "./schema.ts";

export const gist: TellGist<WebSearchData> = (data, { en, pt, fig, host, moment, name, opt, pick }) => {
  const [first] = data.results ?? [];
  const engine = data.engines?.find(({ ok }) => ok);
  const count = fig(engine?.count, "count");
  const found = host(first?.domain);
  const limited = data.coverage === "limited" ? pick("coverage is limited", "a cobertura é limitada") : null;
  return {
    headline: {
      value: first?.domain ?? null,
      unit: null,
      sense: first?.title ?? pick("nothing found", "nada encontrado"),
    },
    text:
      en`The search ranks ${found} ${name("first")} on ${moment()}, score
        ${fig(first?.score, "number", { decimals: 4 })}${opt(
          en`, of ${count} hits by ${name(engine?.id)}`,
        )}${opt(en`; ${limited}`)}` ??
      pt`A busca põe ${found} em ${name("primeiro")} em ${moment()}, nota
        ${fig(first?.score, "number", { decimals: 4 })}${opt(
          pt`, de ${count} achados por ${name(engine?.id)}`,
        )}${opt(pt`; ${limited}`)}`,
  };
};
