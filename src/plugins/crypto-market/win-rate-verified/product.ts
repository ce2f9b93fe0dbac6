import { Type } from "@sinclair/typebox";
import { closed, defineProduct, drawRows, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { findFirstGrade } from "../signals/opening.ts";
import { computeWinRate } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchWinRate } from "./fetch.ts";
import { gist } from "./gist.ts";
import { RECORDS, WinRateSchema } from "./schema.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({ records: 1 }, made);

export const product = defineProduct({
  path: "/win-rate-verified",
  title: "Signed, recomputable track record",
  description:
    "How this node's crypto signals really did: Ed25519-signed figures with the records and outcomes to recompute " +
    "them from public prices, hash-chained and in a Merkle tree. Win rate with Wilson interval, net results after " +
    "costs, exact binomial test, always-long benchmark, calibration, Sharpe ratio, drawdown, and the same without " +
    "overlaps.",
  category: "crypto-market",
  tags: ["track-record", "signals", "signed", "verifiable", "win-rate"],
  search: [
    "track record",
    "win rate of your signals",
    "are your signals any good",
    "proof of performance",
    "histórico dos sinais",
    "taxa de acerto",
    "verified performance",
    "how accurate are your signals",
    "os sinais funcionam",
  ],
  price_usd: "0.05",
  params: Type.Object(
    {
      records: Type.Optional(
        Type.Integer({
          description: "How many of the newest graded signals to show, with their proof; the figures are of all.",
          minimum: 0,
          maximum: RECORDS.max,
          default: RECORDS.default,
        }),
      ),
    },
    closed,
  ),
  data: WinRateSchema,
  long: ["records", "proof", "by_symbol", "by_bucket", "windows.calibration"],
  example,
  gist,
  providers: VENUES,
  requires: [VENUES],
  ttl: "5m",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.by_bucket, {
        title: "Result after costs by confidence",
        about: "Mean of the graded signals in each class of confidence, basis points; below 0 they lost.",
        unit: "number",
        bar: ({ key, mean_net_bps }) => [key, mean_net_bps],
      }),
    every: "24h",
    delay: "1d",
    redact: (data) => ({ ...data, records: null, proof: null }),
  },
  findOpening: findFirstGrade,
  fetch: fetchWinRate,
  compute: computeWinRate,
});
