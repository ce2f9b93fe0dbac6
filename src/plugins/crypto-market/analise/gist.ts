import type { TellGist } from "intel-node";
import { LEANING_WORDS } from "../written/words.ts";
import type { AnaliseData } from "./schema.ts";

export const gist: TellGist<AnaliseData> = (data, { en, pt, fig, move, moment, name, word, opt }) => {
  const { symbol, price, returns_pct, momentum, bias } = data;
  const label = word(LEANING_WORDS, bias?.label);
  const week = move(returns_pct?.d7, "pct", { window: "7d" });
  const rsi = fig(momentum?.rsi14, "index", { decimals: 0 });
  return {
    headline: { value: price, unit: "usd", sense: label },
    text:
      en`${name(symbol)} at ${fig(price, "usd")} on ${moment()} is technically ${label}${opt(en`, ${week} in 7d`)}${opt(
        en`, with the ${name("RSI")} at ${rsi}`,
      )}` ??
      pt`${name(symbol)} a ${fig(price, "usd")} em ${moment()}: quadro ${label}${opt(pt`, ${week} em 7d`)}${opt(
        pt`, com o ${name("RSI")} em ${rsi}`,
      )}`,
  };
};
