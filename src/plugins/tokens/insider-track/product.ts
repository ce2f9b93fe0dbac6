import { defineProduct, drawRows, exampleOf } from "intel-node";
import { blockscout } from "intel-node/providers/blockscout/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { FACT_PROVIDERS } from "../facts/profile.ts";
import { parseSubject } from "../facts/subject.ts";
import { tokenTicker } from "../parameters/elsewhere.ts";
import { honeypotIs } from "../providers/honeypot-is/provider.ts";
import { pumpFun } from "../providers/pump-fun/provider.ts";
import { rugcheck } from "../providers/rugcheck/provider.ts";
import { computeInsiderTrack } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchInsiderTrack } from "./fetch.ts";
import { gist } from "./gist.ts";
import { InsiderTrackParams, InsiderTrackSchema } from "./schema.ts";

const EVM_ONLY: readonly string[] = [evmRpc.id, blockscout.id, honeypotIs.id];

const example = exampleOf({ limit: 1 }, made);

export const product = defineProduct({
  path: "/insider-track",
  title: "Insiders of fresh launches",
  description:
    "Launches of Solana, or one mint, ranked by what insiders do: supply in connected " +
    "wallets, supply bought in the slot " +
    "of the launch and the next, what the creator holds and how much of his first purchase he sold, his earlier " +
    "launches. Unknown terms make the score a lower bound, and say so.",
  category: "tokens",
  tags: ["insider", "bundle", "launch", "solana", "token"],
  search: [
    "insider wallets in launches",
    "bundled launch",
    "did insiders buy",
    "snipers of a launch",
    "insiders de um lançamento",
    "dev bought his own token",
    "carteiras de insiders",
  ],
  price_usd: "0.08",
  params: InsiderTrackParams,
  normalise: ({ mint, ...params }) =>
    mint === undefined ? params : { ...params, mint: parseSubject("mint", mint, "solana").address },
  elsewhere: [tokenTicker("mint")],
  data: InsiderTrackSchema,
  example,
  gist,
  providers: FACT_PROVIDERS.filter(({ id }) => !EVM_ONLY.includes(id)),
  requires: [[rugcheck, pumpFun]],
  ttl: "5m",
  deadline_ms: 10_000,
  preview: {
    listed: ({ items }) => ({ n: items.length, of: "launches" }),
    rowCharts: (shown) =>
      drawRows(shown.items, {
        title: "Insider score",
        about: "0 to 100; unknown terms count as 0. Names are anybody's text.",
        unit: "number",
        bar: ({ token, insider_score }) => [token.symbol ?? token.address, insider_score],
      }),
    every: "6h",
    delay: "12h",
    redact: (data) => ({ ...data, items: data.items.slice(0, 3) }),
  },
  fetch: (context, { mint }) => fetchInsiderTrack(context, mint),
  compute: (inputs, { params: { limit = 5 } }) => computeInsiderTrack(inputs, limit),
});
