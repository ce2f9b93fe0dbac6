import { defineProduct, drawRows, exampleOf } from "intel-node";
import { blockscout } from "intel-node/providers/blockscout/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { FACT_PROVIDERS } from "../facts/profile.ts";
import { parseSubject } from "../facts/subject.ts";
import { tokenTicker } from "../parameters/elsewhere.ts";
import { honeypotIs } from "../providers/honeypot-is/provider.ts";
import { rugcheck } from "../providers/rugcheck/provider.ts";
import { computeRugcheck } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchRugcheck } from "./fetch.ts";
import { gist } from "./gist.ts";
import { RugcheckParams, RugcheckSchema } from "./schema.ts";

const EVM_ONLY: readonly string[] = [evmRpc.id, blockscout.id, honeypotIs.id];

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/rugcheck",
  title: "Safety sheet of a Solana token",
  description:
    "One reconciled safety sheet of a Solana mint: authorities and Token-2022 extensions read from the chain, " +
    "holders without pools and burns, creator and earlier launches, insiders, locks, liquidity, a round trip of " +
    "100 US dollars; RugCheck's and GoPlus' opinions beside it, disagreements shown, unknowns named.",
  category: "tokens",
  tags: ["solana", "token", "safety", "rug", "holders"],
  search: [
    "rug check of a Solana token",
    "is this Solana token safe",
    "mint authority",
    "freeze authority",
    "LP locked",
    "token Solana é golpe",
    "segurança de token Solana",
    "rugcheck",
    "golpe",
    "scam token on Solana",
  ],
  price_usd: "0.025",
  params: RugcheckParams,
  normalise: ({ mint }) => (mint === undefined ? {} : { mint: parseSubject("mint", mint, "solana").address }),
  elsewhere: [tokenTicker("mint")],
  data: RugcheckSchema,
  example,
  gist,
  providers: FACT_PROVIDERS.filter(({ id }) => !EVM_ONLY.includes(id)),
  requires: [[solanaRpc, rugcheck]],
  ttl: "30s",
  deadline_ms: 10_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.factors, {
        title: "What the risk is made of",
        about: "Points of risk; what is not known counts at 0.6 of its points.",
        unit: "number",
        bar: ({ id, points }) => [id, points],
      }),

    every: "1h",
    delay: "1h",
    redact: (data) => ({ ...data, provider: { ...data.provider, rugcheck_risks: null } }),
  },
  fetch: (context, { mint }) => fetchRugcheck(context, mint),
  compute: (inputs) => computeRugcheck(inputs),
});
