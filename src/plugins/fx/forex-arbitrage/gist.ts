import type { TellGist } from "intel-node";
import type { ForexArbitrageData } from "./schema.ts";

const VERDICTS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  none: ["does not pay", "não compensa"],
  watch: ["is close to paying", "está perto de compensar"],
  opportunity: ["pays", "compensa"],
  not_executable: ["cannot be dealt", "não pode ser feita"],
};

export const gist: TellGist<ForexArbitrageData> = (data, { en, pt, fig, moment, name, word, opt }) => {
  const { best_loop, loops_checked, verdict } = data;
  const sense = word(VERDICTS, verdict);
  const net = fig(best_loop?.net_bps, "bps", { label: "best net result" });
  const checked = fig(loops_checked, "count");
  return {
    headline: { value: best_loop?.net_bps ?? null, unit: "bps", sense },
    text:
      en`Currency arbitrage ${sense} on ${moment()}: the best of ${checked} loops${opt(
        en`, ${name(best_loop?.path?.join("-"))},`,
      )} leaves ${net} after costs` ??
      pt`A arbitragem de moedas ${sense} em ${moment()}: o melhor de ${checked} ciclos${opt(
        pt`, ${name(best_loop?.path?.join("-"))},`,
      )} deixa ${net} depois dos custos`,
  };
};
