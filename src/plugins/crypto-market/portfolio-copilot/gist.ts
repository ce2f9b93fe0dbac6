import type { TellGist } from "intel-node";
import { REGIME_WORDS } from "../written/words.ts";
import type { CopilotData } from "./schema.ts";

export const gist: TellGist<CopilotData> = (data, { en, pt, fig, share, day, name, word, opt, pick }) => {
  const profile = data.profiles?.find(({ id }) => id === "balanced") ?? data.profiles?.[0];
  const state = word(REGIME_WORDS, data.regime);
  const held = share(profile?.gross_frac);
  const worst = fig(profile?.worst_scenario_pct, "pct", { label: "worst scenario" });
  return {
    headline: {
      value: profile?.gross_frac ?? null,
      unit: "ratio",
      sense: pick("in coins, balanced profile", "em moedas, perfil balanceado"),
    },
    text:
      en`In a ${state} market on ${day()} the ${name(profile?.id)} profile holds ${held} in ${name("BTC")},
        ${name("ETH")} and ${name("SOL")}${opt(en`; its worst scenario is ${worst}`)}` ??
      pt`Em um mercado ${state} em ${day()} o perfil ${name(profile?.id)} mantém ${held} em ${name("BTC")},
        ${name("ETH")} e ${name("SOL")}${opt(pt`; o seu pior cenário é ${worst}`)}`,
  };
};
