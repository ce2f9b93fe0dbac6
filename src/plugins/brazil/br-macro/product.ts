import { defineProduct, exampleOf } from "intel-node";
import { bcbOlinda } from "../providers/bcb-olinda/provider.ts";
import { bcbSGS } from "../providers/bcb-sgs/provider.ts";
import { ibge } from "../providers/ibge/provider.ts";
import { drawMacro } from "./charts.ts";
import { computeMacro } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchMacro } from "./fetch.ts";
import { gist } from "./gist.ts";
import { MacroParams, MacroSchema } from "./schema.ts";

const example = exampleOf({ detail: "full" }, made);

export const product = defineProduct({
  path: "/br-macro",
  title: "Brazilian macro dashboard",
  description:
    "Brazil in one call, from its central bank and statistics office: Selic target and next decision, inflation " +
    "against the target and its band, real rates, US dollar, activity, unemployment, public debt and balance, " +
    "reserves and trade, the Focus survey with its changes of four weeks, releases of the next 14 days. Each figure " +
    "with period and series.",
  category: "brazil",
  tags: ["brazil", "macro", "inflation", "selic", "focus"],
  search: [
    "Selic rate",
    "taxa Selic",
    "IPCA",
    "Brazilian inflation",
    "inflação no Brasil",
    "Focus survey",
    "boletim Focus",
    "PTAX",
    "Copom meeting",
    "Copom",
    "próxima reunião do Copom",
    "PIB do Brasil",
    "Brazil GDP",
    "desemprego",
    "dívida pública",
    "Brazil unemployment",
    "taxa de juros do Brasil",
    "banco central do Brasil",
    "BCB",
    "IGP-M",
    "reservas internacionais",
  ],
  price_usd: "0.05",
  params: MacroParams,
  data: MacroSchema,
  usual_view: "brief",
  example,
  gist,
  providers: [bcbSGS, bcbOlinda, ibge],
  requires: [[bcbSGS], [bcbOlinda, bcbSGS]],
  asks: { "/br-curve": "optional" },
  ttl: "15m",
  max_age: "7d",
  deadline_ms: 10_000,
  preview: {
    every: "24h",
    delay: "24h",
    redact: (data) => ({ ...data, focus: null, focus_selic: null, focus_ipca_12m: null, score: null }),
    charts: drawMacro,
  },
  fetch: fetchMacro,
  compute: (inputs, { params: { detail }, now_ms }) => computeMacro(inputs, { detail, now_ms }),
});
