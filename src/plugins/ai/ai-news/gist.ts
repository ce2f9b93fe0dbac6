import type { TellGist } from "intel-node";
import type { AINewsData } from "./schema.ts";

export const gist: TellGist<AINewsData> = (data, { en, pt, fig, moment, name, opt, pick }) => {
  const [first] = data.items ?? [];
  const [term] = data.trending_terms ?? [];
  const [voices, said] = [fig(first?.independent, "count"), fig(term?.count_24h, "count", { window: "24h" })];
  const usual = fig(term?.median_14d, "number", { window: "14d" });
  return {
    headline: {
      value: first?.score ?? null,
      unit: pick("of 100", "de 100"),
      sense: first?.title ?? pick("no story", "nenhuma notícia"),
    },
    text:
      en`The story on ${name(data.topic)} that ranks ${name("first")} is of ${moment(first?.published_at)}, score
        ${fig(first?.score, "index")} of ${name("100")}${opt(
          en`, by ${voices} independent publishers`,
        )}${opt(en`; the word ${name(term?.term)} has ${said} mentions in 24h against ${usual} by 14d`)}` ??
      pt`A notícia sobre ${name(data.topic)} em ${name("primeiro")} é de ${moment(first?.published_at)}, nota
        ${fig(first?.score, "index")} de ${name("100")}${opt(
          pt`, por ${voices} veículos independentes`,
        )}${opt(pt`; a palavra ${name(term?.term)} tem ${said} menções em 24h contra ${usual} por 14d`)}`,
  };
};
