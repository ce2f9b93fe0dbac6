import { defineProduct, exampleOf } from "intel-node";
import { blockscout } from "intel-node/providers/blockscout/provider";
import { goplus } from "intel-node/providers/goplus/provider";
import { FACT_PROVIDERS } from "../facts/profile.ts";
import { parseSubject } from "../facts/subject.ts";
import { tokenTicker } from "../parameters/elsewhere.ts";
import { rugcheck } from "../providers/rugcheck/provider.ts";
import { drawHolders } from "./charts.ts";
import { computeHolders } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchHolders } from "./fetch.ts";
import { gist } from "./gist.ts";
import { HolderConcentrationParams, HolderConcentrationSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/holder-concentration",
  title: "Who holds a token",
  description:
    "The largest holders of a token with pools, burns and lockers taken out: top 1, 5 and 10, Herfindahl index with " +
    "honest bounds for what is not seen, effective holders, Nakamoto number, Gini coefficient, creator and insiders. " +
    "Solana, Ethereum and Base.",
  category: "tokens",
  tags: ["token", "holders", "concentration", "whales", "insiders"],
  search: [
    "who owns the token",
    "top holders",
    "whales holding a token",
    "token distribution",
    "maiores detentores",
    "quem tem o token",
    "concentração de detentores",
    "holders of a token",
    "supply concentration",
  ],
  price_usd: "0.04",
  params: HolderConcentrationParams,
  normalise: ({ token, chain }) => {
    if (token === undefined) return chain === undefined ? {} : { chain };
    const subject = parseSubject("token", token, chain);
    return { token: subject.address, chain: subject.chain };
  },
  elsewhere: [tokenTicker("token")],
  data: HolderConcentrationSchema,
  example,
  gist,
  providers: FACT_PROVIDERS,
  requires: [[rugcheck, goplus, blockscout]],
  ttl: "5m",
  deadline_ms: 10_000,
  preview: {
    every: "1d",
    delay: "6h",
    redact: (data) => ({ ...data, rows: data.rows.slice(0, 5) }),
    charts: ({ data }) => drawHolders(data),
  },
  fetch: fetchHolders,
  compute: (inputs) => computeHolders(inputs),
});
