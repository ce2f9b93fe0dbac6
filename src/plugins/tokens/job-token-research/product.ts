import { defineProduct, drawRows, exampleOf } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { FACT_PROVIDERS } from "../facts/profile.ts";
import { normaliseToken } from "../markets/resolve.ts";
import { computeTokenResearch } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchTokenResearch } from "./fetch.ts";
import { gist } from "./gist.ts";
import { TokenResearchParams, TokenResearchSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/job/token-research",
  title: "Dossier on a token",
  description:
    "AVOID, CAUTION or OK for any token by address or ticker, with everything behind it in " +
    "one answer: LR-1's factors, " +
    "markets, holders, creator screened against lists of sanctions, insiders, every fact with its source, and what " +
    "would change the verdict. Unknown never counts as good.",
  category: "tokens",
  tags: ["token", "research", "risk", "dossier", "due-diligence"],
  search: [
    "due diligence on a token",
    "research a token",
    "should I buy this token",
    "dossier of a token",
    "pesquisar um token",
    "devo comprar este token",
    "token research",
  ],
  price_usd: "0.20",
  params: TokenResearchParams,
  normalise: ({ token, ...params }) =>
    token === undefined ? params : { ...params, token: normaliseToken(token, params.chain) },
  data: TokenResearchSchema,
  long: ["evidence", "factors"],
  example,
  gist,
  providers: FACT_PROVIDERS,
  requires: [[dexscreener]],
  asks: { "/sanctions": "optional" },
  ttl: "2m",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.factors, {
        title: "What the risk is made of",
        about: "Points of risk; what is not known counts at 0.6 of its points.",
        unit: "number",
        bar: ({ id, points }) => [id, points],
      }),
    every: "1d",
    delay: "1d",
    redact: (data) => ({ ...data, evidence: [], what_would_change_it: [] }),
  },
  fetch: fetchTokenResearch,
  compute: (inputs) => computeTokenResearch(inputs),
});
