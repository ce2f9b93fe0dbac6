import type { TellGist } from "intel-node";
import type { CorrelationData } from "./schema.ts";

export const gist: TellGist<CorrelationData> = (data, { en, pt, fig, day, name, opt, pick }) => {
  const [window] = data.windows ?? [];
  const pair = data.extremes?.highest?.[0];
  const [days, mean] = [fig(window?.days, "days"), fig(window?.mean_corr, "ratio")];
  const closest = fig(pair?.pearson, "ratio", { label: "highest" });
  return {
    headline: {
      value: window?.mean_corr ?? null,
      unit: pick("mean correlation", "correlação média"),
      sense: name(data.symbols?.join(", ")),
    },
    text:
      en`${name("Coins")} moved together by ${mean} on average over ${days} days to ${day(window?.to)}${opt(
        en`; ${name(pair?.a)} and ${name(pair?.b)} have the highest, ${closest}`,
      )}` ??
      pt`${name("As moedas")} andaram juntas em ${mean} na média de ${days} dias até ${day(window?.to)}${opt(
        pt`; ${name(pair?.a)} e ${name(pair?.b)} têm a máxima, ${closest}`,
      )}`,
  };
};
