import { readFactRows } from "intel-node";
import type { ThesisData } from "./schema.ts";

const hash = "4d0a1bd1a6f14c1f3b1a5f4cf0b9d1e7a8c2f6e5d4b3a2918070605040302010";

const data: ThesisData = {
  ...{ thesis_id: "2026-08-01:BTC", emitted_at: "2026-08-01T23:20:00Z", asset: "BTC", direction: "long" },
  ...{ strength: 46, entry_price_usd: 64210.55, sigma_pct: 48 },
  bands: [
    { horizon_d: 7, z_pct: 6.6473, minus2: 56217.16, minus1: 60081.07, plus1: 68623.86, plus2: 73340.51 },
    { horizon_d: 30, z_pct: 13.7612, minus2: 48761.65, minus1: 55955.45, plus1: 73683.53, plus2: 84554.05 },
    { horizon_d: 90, z_pct: 23.835, minus2: 39863.72, minus1: 50593.19, plus1: 81493.07, plus2: 103427.26 },
  ],
  invalidation: {
    price: 58210.5,
    rule: "a daily close past it against the direction, or a turn of the market regime",
  },
  evidence: [{ factor: "trend", value: 0.4, contribution: 7.25, supports: true }],
  base_rate: { n: 25, hit_rate: 0.56, wilson_low: 0.37, wilson_high: 0.73 },
  catalysts: [{ title: "FOMC decision", country: "US", time_utc: "2026-08-06T18:00:00Z" }],
  record_hash: hash,
  payload: {
    ...{ v: 1, kind: "theses", node_id: "in1NCHAcLe9knvCk5cjZaBPRH", key_id: "node-1", model_id: "thesis-v1" },
    ...{ generated_at: "2026-08-02T06:00:00Z", chain_head: hash, chain_length: 42, outcomes_root: hash },
    ...{ n_scored: 12, n_open: 30, n_unscorable: 0, wins: 6, sum_net_bps: "215.5" },
    ...{ hit_rate: "0.5000", band_1sigma_coverage: "0.7500" },
  },
  payload_canonical: "{}",
  signature: "ZXhhbXBsZQ",
  key_id: "node-1",
  records: [],
  blocks: [
    {
      id: "claim",
      text: "The thesis on BTC is long, with a strength of 46, from a close at $64,210.55.",
      facts: ["F1", "F2"],
      sources: [],
      written_by: "template",
    },
  ],
  facts: readFactRows({ from: "/thesis-engine", as_of: "2026-08-01T23:20:00Z" }, [
    ["strength", "strength of the thesis", 46, "index"],
    ["close", "BTC close", 64210.55, "usd", { about: "BTC" }],
  ]),
  citations: [],
  written_by: "template",
  writer: {
    ...{ provider_id: null, model: null, attempts: 0, regenerated: false, violations_first_attempt: 0 },
    prompt_version: null,
  },
  pack_hash: "0af3eb8d2832244738498399e1d7f08602e7de61fea6cf608407580d10f50511",
  disclaimer: "Information computed from the sources named; no investment advice.",
};

/** In the form of a real answer; lists are cut short. */
export const example = { params: {}, as_of: "2026-08-01T23:20:00Z", data };
