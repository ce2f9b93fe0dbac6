import type { TellGist } from "intel-node";
import { INSIDER_WORDS } from "../written/words.ts";
import type { InsiderTrackData } from "./schema.ts";

export const gist: TellGist<InsiderTrackData> = (data, { en, pt, say, fig, moment, name, word, opt, pick }) => {
  const [first] = data.items ?? [];
  const what = name(first?.token?.symbol) ?? name(first?.token?.address);
  const level = word(INSIDER_WORDS, first?.level);
  const held = fig(first?.network?.pct, "pct", { decimals: 1 });
  const bound = first?.score_is_lower_bound ? pick("at least", "pelo menos") : "";
  return {
    headline: {
      value: first?.insider_score ?? null,
      unit: pick("of 100", "de 100"),
      sense: first ? say`${what}: ${level}` : pick("no launch judged", "nenhum lançamento julgado"),
    },
    text:
      en`Insiders in ${what} on ${name(first?.token?.chain)}: ${level}, score ${bound}
        ${fig(first?.insider_score, "index", { decimals: 0 })} of ${name("100")} on ${moment(
          first?.assessed_at,
        )}${opt(en`; linked wallets hold ${held}`)}` ??
      pt`Presença de insiders em ${what} na ${name(first?.token?.chain)}: ${level}, pontuação ${bound}
        ${fig(first?.insider_score, "index", { decimals: 0 })} de ${name("100")} em ${moment(
          first?.assessed_at,
        )}${opt(pt`; carteiras ligadas têm ${held}`)}`,
  };
};
