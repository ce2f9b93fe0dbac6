import type { TellGist } from "intel-node";
import type { FearGreedData } from "./schema.ts";

const MOODS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  "extreme fear": ["extreme fear", "medo extremo"],
  fear: ["fear", "medo"],
  neutral: ["neutral", "neutro"],
  greed: ["greed", "ganância"],
  "extreme greed": ["extreme greed", "ganância extrema"],
};

export const gist: TellGist<FearGreedData> = (data, { en, pt, fig, move, day, name, word, opt, pick }) => {
  const { value, classification, change_7d, value_at, percentile_365d } = data;
  const mood = word(MOODS, classification?.toLowerCase().replaceAll("_", " "));
  const week = change_7d === null ? null : move(change_7d, "index", { window: "7d" });
  const rank = fig(percentile_365d, "pct", { decimals: 0, window: "1y" });
  return {
    headline: { value, unit: pick("of 100", "de 100"), sense: mood },
    text:
      en`${name("Crypto Fear & Greed")} stood at ${fig(value, "index")} of ${name("100")}, ${mood}, on
        ${day(value_at)}${opt(en`, ${week} in 7d`)}${opt(en`, rank ${rank} within 1 year`)}` ??
      pt`${name("Medo e Ganância em cripto")} marcava ${fig(value, "index")} de ${name("100")}, ${mood}, em ${day(
        value_at,
      )}${opt(pt`, ${week} em 7d`)}${opt(pt`, posto ${rank} em 1 ano`)}`,
  };
};
