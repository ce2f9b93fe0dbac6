import type { TellGist } from "intel-node";
import type { MultiChainData } from "./schema.ts";

export const gist: TellGist<MultiChainData> = (data, { en, pt, fig, moment, name, pick, opt }) => {
  const { rows, best_net_bps, executable, notional_usd } = data;
  const first = rows?.find(({ net_bps }) => net_bps === best_net_bps);
  const verdict = executable ? pick("pays", "compensa") : pick("does not pay", "não compensa");
  const net = fig(best_net_bps, "bps", { label: "best net result" });
  const sum = fig(notional_usd, "usd");
  return {
    headline: { value: best_net_bps, unit: "bps", sense: executable === null ? null : verdict },
    text:
      en`Arbitrage between chains ${verdict} on ${moment()}: the best trip${opt(
        en`, ${name(first?.asset)} from ${name(first?.buy_chain)} to ${name(first?.sell_chain)},`,
      )} leaves ${net} after costs with ${sum}` ??
      pt`Arbitragem entre redes ${verdict} em ${moment()}: a melhor rota${opt(
        pt`, ${name(first?.asset)} de ${name(first?.buy_chain)} para ${name(first?.sell_chain)},`,
      )} deixa ${net} depois dos custos com ${sum}`,
  };
};
