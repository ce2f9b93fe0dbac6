import type { TellGist } from "intel-node";
import type { AgentMarketData } from "./schema.ts";

/** Atomic units of USDC in a dollar. */
const ATOMIC = 1e6;

export const gist: TellGist<AgentMarketData> = (data, { en, pt, fig, share, day, name, opt, pick }) => {
  const { market } = data;
  const atomic = market?.price_atomic?.p50 ?? null;
  const median = atomic === null ? null : atomic / ATOMIC;
  const [resources, hosts] = [fig(market?.resources, "count"), fig(market?.hosts, "count")];
  const first = share(market?.top_host_share, { decimals: 0, label: "largest" });
  const price = fig(median, "usd", { decimals: 4 });
  return {
    headline: { value: median, unit: "usd", sense: pick("median price of a call", "preço mediano por chamada") },
    text:
      en`A call of ${name("agents' services")} cost ${price} at the median of ${resources} listed by ${hosts} hosts on
        ${day()}${opt(en`; the largest host has ${first} of them`)}` ??
      pt`Uma chamada a ${name("serviços de agentes")} custava ${price} na mediana de ${resources} listados por
        ${hosts} hosts em ${day()}${opt(pt`; o maior host tem ${first} deles`)}`,
  };
};
