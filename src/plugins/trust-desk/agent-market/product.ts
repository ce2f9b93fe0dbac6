import { defineProduct, drawRows, exampleOf } from "intel-node";
import { REGISTERS } from "../bazaar/registers.ts";
import { computeMarket } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchMarket } from "./fetch.ts";
import { gist } from "./gist.ts";
import { AgentMarketParams, AgentMarketSchema } from "./schema.ts";

const example = exampleOf({ limit: 5 }, made);

export const product = defineProduct({
  path: "/agent-market",
  title: "Market of agents' services",
  description:
    "What is sold around us: this catalog with the place of each price in the public x402 market, and that " +
    "market from the registers the operator allows: listings, hosts, networks, quartiles by kind, usage where a " +
    "register has figures. Listings are their sellers' claims and marked so.",
  category: "trust",
  tags: ["x402", "market", "discovery", "prices", "agents"],
  search: [
    "what do other x402 services cost",
    "x402 services list",
    "discover paid APIs",
    "price comparison of agents' services",
    "other x402 sellers",
    "mercado de agentes",
    "serviços x402",
    "quanto cobram outros vendedores",
  ],
  price_usd: "0.005",
  params: AgentMarketParams,
  data: AgentMarketSchema,
  long: ["catalog", "comparables"],
  example,
  gist,
  providers: REGISTERS,
  requires: [],
  uses_node: true,
  ttl: "5m",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.market?.by_category ?? [], {
        title: "Listings by rough kind",
        about: "Paid resources in the registers that answered.",
        unit: "number",
        bar: ({ category, resources }) => [category, resources],
      }),
    every: "1d",
    delay: "1h",
  },
  fetch: fetchMarket,
  compute: (inputs, { params }) => computeMarket(inputs, params),
});
