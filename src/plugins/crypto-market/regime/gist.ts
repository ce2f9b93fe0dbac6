import type { TellGist } from "intel-node";
import { REGIME_WORDS } from "../written/words.ts";
import type { RegimeData } from "./schema.ts";

export const gist: TellGist<RegimeData> = (data, { en, pt, fig, share, day, name, word, opt }) => {
  const { regime, score, confidence, since, bar_date, track } = data;
  const state = word(REGIME_WORDS, regime);
  const past = track?.find((one) => one.regime === regime);
  const up = share(past?.up_share_frac, { decimals: 0 });
  const days = fig(past?.days, "days");
  const sure = share(confidence, { decimals: 0 });
  return {
    headline: {
      value: regime,
      unit: null,
      sense: en`${state}, confidence ${sure}` ?? pt`${state}, confiança ${sure}` ?? state,
    },
    text:
      en`${name("Crypto")} is in a ${state} market since ${day(since)}: score ${fig(score, "index")} on
        ${day(bar_date)}, confidence ${sure}${opt(
          en`; after ${days} such days ${name("BTC")} stood higher a month on in ${up}`,
        )}` ??
      pt`${name("Cripto")} está em um mercado ${state} desde ${day(since)}: pontuação ${fig(score, "index")} em
        ${day(bar_date)}, confiança ${sure}${opt(
          pt`; depois de ${days} dias assim o ${name("BTC")} valia mais no mês seguinte em ${up}`,
        )}`,
  };
};
