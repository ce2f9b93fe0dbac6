import type { GeoAlphaData } from "./schema.ts";

const data: GeoAlphaData = {
  score: 18.756,
  band: "calm",
  coverage: 0.65,
  components: [
    {
      name: "news",
      value: 0.1319,
      z: -1.1198,
      weight: 0.45,
      score: 13.1391,
      as_of: "2026-01-13T13:45:00Z",
    },
    {
      name: "gpr",
      value: null,
      z: null,
      weight: 0.25,
      score: null,
      as_of: null,
    },
    {
      name: "advisory",
      value: null,
      z: null,
      weight: 0.1,
      score: null,
      as_of: null,
    },
    {
      name: "market",
      value: -0.4847,
      z: -0.4847,
      weight: 0.2,
      score: 31.394,
      as_of: "2026-01-13T00:00:00Z",
    },
  ],
  change_1d: null,
  change_7d: null,
  regions: [
    {
      theatre: "NATO core",
      z: -0.899,
      conflict_share: 0.134737,
      goldstein: 0.9023,
      mentions: 475,
      top_urls: ["https://press.example/us/20260113134500-4"],
      headlines: [],
    },
    {
      theatre: "Taiwan Strait/China",
      z: -0.9776,
      conflict_share: 0.132609,
      goldstein: 0.9291,
      mentions: 460,
      top_urls: ["https://press.example/tw/20260113134500-4"],
      headlines: [],
    },
  ],
  advisory_changes: [],
  market: {
    gold_5d_pct: 2.0284,
    brent_5d_pct: 4.8483,
    usdjpy_5d_pct: 4.3511,
    usdchf_5d_pct: 1.3109,
  },
  history_response: [],
  text:
    "Geopolitical stress stands at 18.8 of 100 (calm), from news 13.1, market 31.4; 65 % of the weights are " +
    "known. The most unusual region is NATO core (z -0.90).",
};

/** From the sandbox; lists are cut short. */
export const example = { params: {}, as_of: "2026-01-13T13:45:00.000Z", data };
