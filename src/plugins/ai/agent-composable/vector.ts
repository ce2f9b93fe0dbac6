import type { BundleData } from "../bundles/schema.ts";

const part = (path: string, price_atomic: string, data: Record<string, unknown>) => ({
  path,
  params: {},
  price_atomic,
  as_of: "2026-11-20T12:00:00.000Z",
  warnings: [],
  data,
});

/** Each part's data are cut to a member or two here. */
export const vector: { readonly params: Record<string, never>; readonly as_of: string; readonly data: BundleData } = {
  params: {},
  as_of: "2026-11-20T12:00:00Z",
  data: {
    items: [
      part("/fear-greed", "10000", { value: 71 }),
      part("/regime", "20000", { regime: "bull" }),
      { ...part("/oracle-consensus", "30000", { symbol: "BTC", consensus_usd: 64_002 }), params: { symbol: "BTC" } },
      part("/sentiment-consensus", "30000", { rows: [{ scope: "market", verdict: "neutral" }] }),
      part("/ai-news", "8000", { items: [] }),
    ],
    parts_price_atomic: "98000",
    price_atomic: "80000",
    saving_pct: 18.37,
    combined: {
      signals: [
        { path: "/fear-greed", signal: "bullish" },
        { path: "/regime", signal: "bullish" },
        { path: "/oracle-consensus", signal: "na" },
        { path: "/sentiment-consensus", signal: "neutral" },
        { path: "/ai-news", signal: "na" },
      ],
      agreement: 0.6667,
      directional: 3,
    },
  },
};
