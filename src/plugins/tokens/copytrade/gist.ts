import type { TellGist } from "intel-node";
import type { CopytradeData } from "./schema.ts";

export const gist: TellGist<CopytradeData> = (data, { en, pt, fig, share, day, name, opt, pick }) => {
  const { wallet, chain, window, performance, copyability } = data;
  const made = fig(performance?.copy_roi_pct, "pct", { decimals: 1 });
  const [closed, least] = [fig(performance?.closed, "count"), share(performance?.win_rate_lower95)];
  const value = performance?.copy_roi_pct ?? copyability ?? null;
  return {
    headline: {
      value,
      unit: performance?.copy_roi_pct == null ? pick("of 100", "de 100") : "pct",
      sense: pick("for who had copied it", "para quem a copiasse"),
    },
    text:
      en`Copying ${name(wallet)} on ${name(chain)} would have made ${made} from ${day(window?.from)} to
        ${day(window?.to)}${opt(
          en` in ${closed} closed trades`,
        )}; copyability ${fig(copyability, "index")} of ${name("100")}${opt(en`, wins in at least ${least}`)}` ??
      pt`Quem copiasse ${name(wallet)} na ${name(chain)} teria rendido ${made} de ${day(window?.from)} a
        ${day(window?.to)}${opt(
          pt` em ${closed} negócios fechados`,
        )}; copiabilidade ${fig(copyability, "index")} de ${name("100")}${opt(pt`, acertos em pelo menos ${least}`)}`,
  };
};
