import { defineProduct, exampleOf } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { goplus } from "intel-node/providers/goplus/provider";
import { FACT_PROVIDERS } from "../facts/profile.ts";
import { rugcheck } from "../providers/rugcheck/provider.ts";
import { drawLaunchSniper } from "./charts.ts";
import { computeLaunchSniper } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchLaunchSniper } from "./fetch.ts";
import { gist } from "./gist.ts";
import { LaunchSniperParams, LaunchSniperSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/launch-sniper",
  title: "Launches that passed every gate",
  description:
    "Fresh launches of pump.fun, or of pool factories on Base and Ethereum, without a hard fail, with " +
    "enough known and enough to sell into, ranked by half of 100 - risk and " +
    "half momentum (purchases, their balance, volume against the pool; washed volume halves it). Those rejected are " +
    "counted by reason. Data only: this node never trades.",
  category: "tokens",
  tags: ["launch", "momentum", "risk", "solana", "base"],
  search: [
    "new token launches worth a look",
    "best fresh launches",
    "snipe new tokens",
    "novos lançamentos bons",
    "lançamentos de tokens",
    "new tokens with momentum",
    "launches that passed the checks",
  ],
  price_usd: "0.15",
  params: LaunchSniperParams,
  data: LaunchSniperSchema,
  example,
  gist,
  providers: FACT_PROVIDERS,
  requires: [[dexscreener], [rugcheck, goplus]],
  ttl: "20s",
  deadline_ms: 8_000,
  preview: {
    every: "1h",
    delay: "1h",
    charts: drawLaunchSniper,
    listed: ({ candidates }) => ({ n: candidates.length, of: "candidates" }),
    redact: (data) => ({ ...data, candidates: data.candidates.map((one) => ({ ...one, max_size_usd: null })) }),
  },
  fetch: (context, { chain = "solana", max_age_min = 180 }) => fetchLaunchSniper(context, { chain, max_age_min }),
  compute: (inputs, { params: { limit = 5 } }) => computeLaunchSniper(inputs, limit),
});
