import { defineProduct, exampleOf, type ProviderDefinition } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { fred } from "intel-node/providers/fred/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { swissquote } from "intel-node/providers/swissquote/provider";
import { eia } from "../providers/eia/provider.ts";
import { goldapi } from "../providers/goldapi/provider.ts";
import { drawCommodity } from "./charts.ts";
import { COMMODITIES, type CommoditySymbol, parseCommodity, SYMBOLS } from "./commodities.ts";
import { computeCommodity } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchCommodity } from "./fetch.ts";
import { gist } from "./gist.ts";
import { CommodityParams, CommoditySchema } from "./schema.ts";

/** Sources that can price it alone. */
function providersOf(symbol: CommoditySymbol): readonly ProviderDefinition[] {
  const one = COMMODITIES[symbol];
  if (one.cadence === "live") return [swissquote, goldapi];
  return one.eia === null ? [fred] : [eia, fred];
}

const example = exampleOf({ symbol: "gold" }, made);

export const product = defineProduct({
  path: "/commodity-price",
  title: "Commodity price",
  description:
    "Price of a metal, oil, gas or farm commodity in its trade's unit and the usual others: live bid and ask of " +
    "metals checked against other sources, the official spot of oil and gas, monthly world benchmarks of copper, " +
    "grains and sugar - each with the date it is really of, its changes and its rank of a year.",
  category: "commodities",
  tags: ["gold", "silver", "oil", "natural-gas", "grains"],
  search: [
    "gold price",
    "silver price",
    "oil price",
    "price of oil",
    "Brent",
    "WTI",
    "crude oil",
    "natural gas price",
    "copper price",
    "wheat price",
    "preço do ouro",
    "ouro hoje",
    "petróleo",
    "barril de petróleo",
    "gás natural",
    "cotação do ouro",
    "soybeans",
    "corn price",
    "sugar price",
    "commodities",
    "platinum",
    "palladium",
    "precious metals",
  ],
  price_usd: "0.012",
  params: CommodityParams,
  normalise: ({ symbol = "gold" }) => ({ symbol: parseCommodity(symbol) }),
  data: CommoditySchema,
  example,
  gist,
  providers: [swissquote, goldapi, evmRpc, kraken, eia, fred],
  requires: [[swissquote, goldapi, evmRpc, kraken, eia, fred]],
  offers: {
    symbol: { values: SYMBOLS, whyNot: (symbol, node) => node.whyNone(providersOf(parseCommodity(symbol))) },
  },
  ttl: "15s",
  deadline_ms: 10_000,
  preview: { every: "1h", delay: "1h", redact: (data) => ({ ...data, quotes: [] }), charts: drawCommodity },
  fetch: (context, { symbol = "gold" }) => fetchCommodity(context, parseCommodity(symbol)),
  compute: computeCommodity,
});
