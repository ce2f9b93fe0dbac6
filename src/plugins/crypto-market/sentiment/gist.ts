import type { TellGist } from "intel-node";
import { LEANING_WORDS } from "../written/words.ts";
import type { SentimentData } from "./schema.ts";

export const gist: TellGist<SentimentData> = (data, { en, pt, fig, share, moment, name, word, opt }) => {
  const { symbol, score, label, confidence, positioning } = data;
  const mood = word(LEANING_WORDS, label);
  const funding = fig(positioning?.funding_apr_pct, "pct", { decimals: 1 });
  return {
    headline: { value: score, unit: "index", sense: mood },
    text:
      en`Sentiment on ${name(symbol)} was ${mood} on ${moment()}: score ${fig(score, "index")}, confidence
        ${share(confidence, { decimals: 0 })}${opt(en`, with funding at ${funding} a year`)}` ??
      pt`O sentimento sobre ${name(symbol)} era ${mood} em ${moment()}: pontuação ${fig(score, "index")}, confiança
        ${share(confidence, { decimals: 0 })}${opt(pt`, com o funding a ${funding} ao ano`)}`,
  };
};
