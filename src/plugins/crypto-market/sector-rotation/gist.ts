import type { TellGist } from "intel-node";
import type { SectorRotationData } from "./schema.ts";

const QUADRANTS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  leading: ["leading", "na liderança"],
  weakening: ["weakening", "perdendo força"],
  improving: ["improving", "ganhando força"],
  lagging: ["lagging", "atrás do mercado"],
};

export const gist: TellGist<SectorRotationData> = (data, { en, pt, say, fig, day, name, word, opt }) => {
  const first = data.sectors?.find(({ rank }) => rank === 1) ?? data.sectors?.[0];
  const state = word(QUADRANTS, first?.quadrant);
  const month = fig(first?.r30_pct, "pct", { window: "30d" });
  const market = fig(data.market?.r30_pct, "pct", { window: "30d" });
  return {
    headline: {
      value: first?.r30_pct ?? null,
      unit: "pct",
      sense: say`${first?.id}, 30d`,
    },
    text:
      en`Of the sectors of crypto ${name(first?.id)} ranks ${name("first")} on ${day()}, ${state}: it made ${month} in
        30d${opt(en`, the market ${market} in 30d`)}` ??
      pt`Dos setores de cripto ${name(first?.id)} está em ${name("primeiro")} em ${day()}, ${state}: fez ${month} em
        30d${opt(pt`, o mercado ${market} em 30d`)}`,
  };
};
