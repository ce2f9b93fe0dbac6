import type { TellGist } from "intel-node";
import { RECORD_WORDS, SIDE_WORDS } from "../written/words.ts";
import type { AlphaData } from "./schema.ts";

export const gist: TellGist<AlphaData> = (data, { en, pt, fig, share, day, name, word, opt, pick }) => {
  const [first] = data.signals ?? [];
  const { n_scored, win_rate, warning } = data.record_stats ?? {};
  const judged = word(RECORD_WORDS, warning);
  const record =
    en`; of ${fig(n_scored, "count")} graded signals ${share(win_rate)} were right${opt(en`, ${judged}`)}` ??
    pt`; de ${fig(n_scored, "count")} sinais avaliados ${share(win_rate)} acertaram${opt(pt`, ${judged}`)}`;
  if (!first) {
    return {
      headline: {
        value: win_rate ?? null,
        unit: "ratio",
        sense: pick("record, no signal now", "histórico, sem sinal agora"),
      },
      text:
        en`No signal of the model ${name(data.model_id)} is open on ${day()}${opt(record)}` ??
        pt`Nenhum sinal do modelo ${name(data.model_id)} está aberto em ${day()}${opt(record)}`,
    };
  }
  const side = word(SIDE_WORDS, first.side);
  return {
    headline: {
      value: first.alpha,
      unit: pick("of 100", "de 100"),
      sense: en`${first.symbol} ${side}` ?? pt`${first.symbol}, ${side}`,
    },
    text:
      en`The newest signal is ${side} ${name(first.symbol)}, alpha ${fig(first.alpha, "index")} of ${name("100")} with
        confidence ${fig(first.confidence, "index")}, of ${day(first.emitted_at)}${opt(record)}` ??
      pt`O sinal mais novo é ${side} de ${name(first.symbol)}, alfa ${fig(first.alpha, "index")} de ${name("100")} com
        confiança ${fig(first.confidence, "index")}, de ${day(first.emitted_at)}${opt(record)}`,
  };
};
