import { defineProduct, drawRows, exampleOf } from "intel-node";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { jito } from "../providers/jito/provider.ts";
import { mevRelays } from "../providers/mev-relays/provider.ts";
import { computeMevFlow } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchMevFlow } from "./fetch.ts";
import { gist } from "./gist.ts";
import { MevFlowParams, MevFlowSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/mev-flow",
  title: "Who builds blocks, and what they pay",
  description:
    "Ethereum's blocks of seven MEV-Boost relays, each counted once: builders, their shares and concentration, what " +
    "proposers were paid, relays that are missing; Solana's tips of landed bundles and priority fees.",
  category: "tokens",
  tags: ["mev", "builders", "relays", "jito", "fees"],
  search: [
    "MEV",
    "block builders",
    "Flashbots",
    "Jito tips",
    "builder share",
    "construtores de blocos",
    "quem constrói os blocos",
    "MEV-Boost relays",
    "gorjetas Jito",
  ],
  price_usd: "0.08",
  params: MevFlowParams,
  data: MevFlowSchema,
  example,
  gist,
  providers: [mevRelays, jito, solanaRpc],
  requires: [[mevRelays, jito]],
  ttl: "60s",
  deadline_ms: 8_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.ethereum?.relays ?? [], {
        title: "Blocks by relay",
        about: "Blocks of the window that each relay reported; a block counts at each relay that delivered it.",
        unit: "number",
        bar: ({ id, payloads }) => [id, payloads],
      }),

    every: "1h",
    delay: "1h",
    redact: ({ ethereum, solana }) => ({
      solana,
      ethereum: ethereum && { ...ethereum, builders: ethereum.builders.slice(0, 3), top_blocks: [] },
    }),
  },
  fetch: (context, { hours = 6 }) => fetchMevFlow(context, hours),
  compute: (inputs, { params: { hours = 6 } }) => computeMevFlow(inputs, hours),
});
