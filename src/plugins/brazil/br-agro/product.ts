import { defineProduct, drawRows, exampleOf } from "intel-node";
import { b3Files } from "../providers/b3-files/provider.ts";
import { b3Reports } from "../providers/b3-reports/provider.ts";
import { bcbOlinda } from "../providers/bcb-olinda/provider.ts";
import { conab } from "../providers/conab/provider.ts";
import { ibge } from "../providers/ibge/provider.ts";
import { computeAgro } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchAgro } from "./fetch.ts";
import { gist } from "./gist.ts";
import { AgroParams, AgroSchema, FUTURES, PLACES } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/br-agro",
  title: "Brazilian farm prices",
  description:
    "Brazil's farm prices in one view: settlements and term structure of cattle, corn, coffee, ethanol and soy at B3 " +
    "in BRL and USD, farm-gate prices by state with their changes, basis to the front future, feed ratios with their " +
    "rank of a year, the official crop estimate and the next reports. In sacks of 60 kg and arrobas.",
  category: "brazil",
  tags: ["brazil", "agriculture", "commodities", "soy", "cattle"],
  search: [
    "soybean price in Brazil",
    "cattle price",
    "boi gordo",
    "arroba do boi",
    "preço da soja",
    "saca de soja",
    "saca de milho",
    "preço do milho",
    "café arábica",
    "etanol",
    "ethanol",
    "safra",
    "crop estimate",
    "Brazilian corn and coffee",
    "agronegócio",
    "farm prices",
    "soja hoje",
  ],
  price_usd: "0.09",
  params: AgroParams,
  data: AgroSchema,
  long: ["futures", "physical", "basis"],
  example,
  gist,
  providers: [b3Files, b3Reports, bcbOlinda, conab, ibge],
  requires: [[b3Files, b3Reports], [bcbOlinda]],
  ttl: "15m",
  deadline_ms: 10_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.futures, {
        title: "Front contracts against the day before",
        about: "Change of the settlement price of the contract next to expire, by root.",
        unit: "percent",
        bar: ({ root, change_pct }) => [root, change_pct],
      }),

    every: "24h",
    delay: "24h",
    redact: (data) => ({
      ...data,
      futures: data.futures.filter(({ front }) => front),
      term_structure: [],
      physical: null,
      basis: null,
      crop: null,
    }),
  },
  fetch: fetchAgro,
  compute: (inputs, { params: { futures = FUTURES.default, places = PLACES.default }, now_ms }) =>
    computeAgro(inputs, { now_ms, futures, places }),
});
