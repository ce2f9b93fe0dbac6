import type { TellGist } from "intel-node";
import { RECORD_WORDS, SIDE_WORDS } from "../written/words.ts";
import type { SinaisData } from "./schema.ts";

export const gist: TellGist<SinaisData> = (data, { en, pt, fig, share, moment, name, word, opt, pick }) => {
  const { n_scored, win_rate, warning } = data.record_stats ?? {};
  const [first] = data.active ?? [];
  const side = word(SIDE_WORDS, first?.side);
  const judged = word(RECORD_WORDS, warning);
  const open =
    en`${name(first?.symbol)} ${side} is the newest signal` ?? pt`${name(first?.symbol)} ${side} é o sinal mais novo`;
  return {
    headline: {
      value: win_rate ?? null,
      unit: "ratio",
      sense: judged ?? pick("signals that were right", "sinais que acertaram"),
    },
    text:
      en`${open ?? name("No open signal")} of ${name(data.model_id)} on ${moment()}; of ${fig(n_scored, "count")}
        graded ones ${share(win_rate)} were right${opt(en`, ${judged}`)}` ??
      pt`${open ?? name("Nenhum sinal aberto")} de ${name(data.model_id)} em ${moment()}; de ${fig(n_scored, "count")}
        avaliados ${share(win_rate)} acertaram${opt(pt`, ${judged}`)}`,
  };
};
