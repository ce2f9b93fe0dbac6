import { readFactRows } from "intel-node";
import type { ResearchData } from "./schema.ts";

const data: ResearchData = {
  kind: "unusual",
  topic: { id: "sol_return_5d", metric: "SOL change, 5d", asset: "SOL", value: 24.61, unit: "pct", z: 3.12 },
  runners_up: [
    {
      id: "breadth",
      metric: "share of coins above their 50-day average",
      asset: "BTC",
      value: 10,
      unit: "pct",
      z: -2.4,
    },
  ],
  scanned: 24,
  quantiles: { p5: -12.4, p25: -3.1, p50: 0.4, p75: 5.2, p95: 14.9 },
  similar_days: [{ horizon_d: 1, n: 14, mean_pct: 0.4127, hit_rate: 0.5714, wilson_low: 0.3259, wilson_high: 0.7862 }],
  markdown: "# Research brief, 2026-10-01",
  blocks: [
    {
      id: "headline",
      text: "SOL change, 5d: 24.61%.",
      facts: ["F1"],
      sources: [],
      written_by: "template",
    },
  ],
  facts: readFactRows({ from: "/research-brief", as_of: "2026-10-01T00:00:00Z" }, [
    ["value_0", "SOL change, 5d", 24.61, "pct", { kind: "change" }],
    ["z_0", "deviation of SOL change, 5d", 3.12, "number"],
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
export const example = { params: {}, as_of: "2026-10-01T00:00:00Z", data };
