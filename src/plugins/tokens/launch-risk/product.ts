import { defineProduct, drawRows, exampleOf } from "intel-node";
import { goplus } from "intel-node/providers/goplus/provider";
import { FACT_PROVIDERS } from "../facts/profile.ts";
import { parseSubject } from "../facts/subject.ts";
import { tokenTicker } from "../parameters/elsewhere.ts";
import { rugcheck } from "../providers/rugcheck/provider.ts";
import { computeLaunchRisk } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchLaunchRisk } from "./fetch.ts";
import { gist } from "./gist.ts";
import { LaunchRiskParams, LaunchRiskSchema } from "./schema.ts";

const example = exampleOf({ limit: 1 }, made);

export const product = defineProduct({
  path: "/launch-risk",
  title: "Launch risk",
  description:
    "AVOID, WATCH or SIZE for the newest token launches (pump.fun, or what factories of pools made on Base and " +
    "Ethereum), or for one token, from thirteen factors and fifteen hard " +
    "fails read from the chain, tried trades, RugCheck, GoPlus, honeypot.is and pool tables. Every point names its " +
    "source; what no source states counts against the token; disagreements are shown.",
  category: "tokens",
  tags: ["token", "risk", "launch", "rug", "honeypot"],
  search: [
    "is this token a rug",
    "is this token safe",
    "honeypot check",
    "new token risk",
    "is this token a scam",
    "golpe",
    "este token é golpe",
    "risco de um token novo",
    "token scam",
    "rug pull",
    "token é seguro",
    "scam check",
    "honeypot",
  ],
  price_usd: "0.10",
  params: LaunchRiskParams,
  normalise: ({ mint, ...params }) => {
    if (mint === undefined) return params;
    const { chain, address } = parseSubject(
      "mint",
      mint,
      mint.startsWith("0x") && params.chain === "solana" ? undefined : params.chain,
    );
    return { ...params, mint: address, chain };
  },
  elsewhere: [tokenTicker("mint")],
  data: LaunchRiskSchema,
  example,
  gist,
  providers: FACT_PROVIDERS,
  requires: [[rugcheck, goplus]],
  ttl: "30s",
  deadline_ms: 10_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.items, {
        title: "Risk of the newest launches",
        about: "0 to 100. Names are anybody's text.",
        unit: "number",
        bar: ({ token, risk }) => [token.symbol ?? token.address, risk],
      }),

    every: "15m",
    delay: "15m",
    path: "/launch-risk-preview",
    redact: (data) => ({ ...data, items: data.items.slice(0, 3).map((item) => ({ ...item, max_size_usd: null })) }),
  },
  fetch: (context, { mint, chain = "solana", limit = 5 }) =>
    fetchLaunchRisk(context, { subject: mint === undefined ? null : { chain, address: mint }, chain, limit }),
  compute: (inputs) => computeLaunchRisk(inputs),
});
