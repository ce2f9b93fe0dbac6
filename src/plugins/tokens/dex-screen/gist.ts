import type { TellGist } from "intel-node";
import type { DexScreenData } from "./schema.ts";

export const gist: TellGist<DexScreenData> = (data, { en, pt, say, fig, move, moment, name, opt, pick }) => {
  const [first] = data.results ?? [];
  const what = name(first?.base?.symbol) ?? name(first?.base?.address);
  const day_move = move(first?.change_h24_pct, "pct", { window: "24h" });
  const depth = fig(first?.liquidity_usd, "usd", { large: true });
  const traded = fig(first?.volume_h24_usd, "usd", { large: true, window: "24h" });
  return {
    headline: {
      value: first?.price_usd ?? null,
      unit: "usd",
      sense: first ? say`${what}/${name(first.quote?.symbol)}` : pick("no pool found", "nenhum pool"),
    },
    text:
      en`${what} stood at ${fig(first?.price_usd, "usd")} in the ${name(first?.dex)} pool on ${name(first?.chain)} on
        ${moment()}${opt(en`, ${day_move} in 24h`)}${opt(
          en`, with ${depth} in the pool`,
        )}${opt(en` and ${traded} traded in 24h`)}` ??
      pt`${what} estava em ${fig(first?.price_usd, "usd")} no pool da ${name(first?.dex)} na ${name(first?.chain)} em
        ${moment()}${opt(pt`, ${day_move} em 24h`)}${opt(
          pt`, com ${depth} no pool`,
        )}${opt(pt` e ${traded} negociados em 24h`)}`,
  };
};
