import { Type } from "@sinclair/typebox";
import { closed, defineProduct, drawRows, exampleOf } from "intel-node";
import { alternativeMe } from "intel-node/providers/alternative-me/provider";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { coinmarketcap } from "intel-node/providers/coinmarketcap/provider";
import { computeSwarmVote, rewindSwarmVote } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSwarmVote } from "./fetch.ts";
import { gist } from "./gist.ts";
import { SwarmVoteSchema } from "./schema.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/swarm-vote",
  title: "Swarm vote",
  description:
    "Ten simple, different, public rules vote long, short or nothing on BTC, ETH and SOL, each weighted by how its " +
    "own votes came out here after costs. Votes are written every day to an append-only chain before anybody sees " +
    "them, scored after seven days and signed; signed votes of other nodes are counted if they verify.",
  category: "crypto-market",
  tags: ["signals", "consensus", "crypto", "bitcoin", "verified"],
  search: [
    "swarm vote on bitcoin",
    "votes of many rules",
    "ensemble of rules",
    "votação de regras",
    "enxame",
    "several models vote",
  ],
  price_usd: "0.025",
  params: Type.Object({}, closed),
  data: SwarmVoteSchema,
  example,
  gist,
  providers: [...VENUES, alternativeMe, coinmarketcap],
  requires: [VENUES],
  ttl: "15m",
  max_age: "25h",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.rows, {
        title: "Weighted mean of ten rules",
        about: "-1 is down, 1 up; between -0.3 and 0.3 the vote is split.",
        unit: "number",
        bar: ({ symbol, result }) => [symbol, result],
      }),

    every: "1h",
    delay: "1d",
    rewind: rewindSwarmVote,
    redact: (data) => ({
      ...data,
      rows: data.rows.map((row) => ({ ...row, voters: row.voters.map((voter) => ({ ...voter, weight: null })) })),
    }),
  },
  fetch: fetchSwarmVote,
  compute: computeSwarmVote,
});
