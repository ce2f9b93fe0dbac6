import type { TellGist } from "intel-node";
import { REGIME_WORDS } from "../written/words.ts";
import type { MarketBriefData } from "./schema.ts";

export const gist: TellGist<MarketBriefData> = (data, { en, pt, fig, move, share, moment, name, word, opt }) => {
  const first = data.prices?.[0];
  const state = word(REGIME_WORDS, data.regime?.regime);
  const day_move = move(first?.chg_24h_pct, "pct", { window: "24h" });
  const sure = share(data.regime?.confidence, { decimals: 0 });
  return {
    headline: {
      value: first?.price_usd ?? null,
      unit: "usd",
      sense: first ? [first.symbol, state].filter(Boolean).join(", ") : null,
    },
    text:
      en`${name(first?.symbol)} stood at ${fig(first?.price_usd, "usd")} on ${moment()}${opt(en`, ${day_move} in
        24h`)}${opt(en`; the market is ${state}, confidence ${sure}`)}` ??
      pt`${name(first?.symbol)} estava em ${fig(first?.price_usd, "usd")} em ${moment()}${opt(pt`, ${day_move} em
        24h`)}${opt(pt`; o mercado está ${state}, confiança ${sure}`)}`,
  };
};
