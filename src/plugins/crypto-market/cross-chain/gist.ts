import type { TellGist } from "intel-node";
import type { CrossChainData } from "./schema.ts";

export const gist: TellGist<CrossChainData> = (data, { en, pt, fig, moment, name, pick, opt }) => {
  const { pair, spread_bps, cheapest_chain, dearest_chain, net_bps, break_even } = data;
  const verdict =
    break_even === null ? null : break_even ? pick("pays", "compensa") : pick("does not pay", "não compensa");
  const spread = fig(spread_bps, "bps");
  const net = fig(net_bps, "bps");
  return {
    headline: {
      value: net_bps ?? spread_bps,
      unit: "bps",
      sense: verdict ?? pick("spread between chains", "diferença entre redes"),
    },
    text:
      en`${name(pair)} on ${name(cheapest_chain)} and on ${name(dearest_chain)} differ by ${spread} on ${moment()}${opt(
        en`; the way between ${verdict}, ${net} after all costs`,
      )}` ??
      pt`${name(pair)} em ${name(cheapest_chain)} e em ${name(dearest_chain)} diferem em ${spread} em ${moment()}${opt(
        pt`; o caminho entre elas ${verdict}, ${net} depois de todos os custos`,
      )}`,
  };
};
