import type { TellGist } from "intel-node";
import type { StressData } from "./schema.ts";

export const gist: TellGist<StressData> = (data, { en, pt, say, fig, day, name, opt, pick }) => {
  const { value_usd, worst_scenario, scenarios, sigma_annual_pct, history_days } = data;
  const worst = scenarios?.find(({ id }) => id === worst_scenario);
  const shown = worst ?? scenarios?.[0];
  const loss = fig(shown?.pnl_gross_pct, "pct", { label: "worst scenario" });
  const days = fig(history_days, "count");
  const sigma = fig(sigma_annual_pct, "pct", { decimals: 1 });
  return {
    headline: {
      value: shown?.pnl_gross_pct,
      unit: "pct",
      sense: worst ? pick("in the worst scenario", "no pior cenário") : say`${shown?.id}`,
    },
    text:
      en`The portfolio of ${fig(value_usd, "usd")} on ${day()} changes by ${loss} in
        ${worst ? "its worst scenario" : "the scenario"} ${name(shown?.id)}${opt(
          en`; its volatility is ${sigma} a year by ${days} daily returns`,
        )}` ??
      pt`A carteira de ${fig(value_usd, "usd")} em ${day()} varia ${loss} no ${worst ? "seu pior cenário" : "cenário"}
        ${name(shown?.id)}${opt(pt`; a sua volatilidade é de ${sigma} ao ano por ${days} retornos diários`)}`,
  };
};
