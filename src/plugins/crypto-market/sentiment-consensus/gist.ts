import type { TellGist } from "intel-node";
import { LEANING_WORDS } from "../written/words.ts";
import type { SentimentConsensusData } from "./schema.ts";

export const gist: TellGist<SentimentConsensusData> = (data, { en, pt, fig, share, moment, name, word, opt }) => {
  const row = data.rows?.find(({ scope }) => scope === "market") ?? data.rows?.[0];
  const verdict = word(LEANING_WORDS, row?.verdict);
  const agreed = share(row?.agreement, { decimals: 0 });
  const voices = fig(row?.n_opinions, "count");
  return {
    headline: { value: row?.consensus ?? null, unit: "index", sense: verdict },
    text:
      en`Opinion on crypto, ${name(row?.scope)}, was ${verdict} on ${moment()}: median ${fig(row?.consensus, "index")}
        of ${voices} voices${opt(en`, agreement ${agreed}`)}` ??
      pt`O sentimento sobre cripto, ${name(row?.scope)}, estava ${verdict} em ${moment()}: mediana
        ${fig(row?.consensus, "index")} de ${voices} vozes${opt(pt`, concordância ${agreed}`)}`,
  };
};
