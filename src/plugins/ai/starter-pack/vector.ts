import type { StarterPackData } from "./schema.ts";

const part = (path: string, price_atomic: string, data: Record<string, unknown>) => ({
  path,
  params: {},
  price_atomic,
  as_of: "2026-11-20T12:00:00.000Z",
  warnings: [],
  data,
});
const URL = "https://node.example.com";

/** Each part's data are cut to a member here. */
export const vector: {
  readonly params: Record<string, never>;
  readonly as_of: string;
  readonly data: StarterPackData;
} = {
  params: {},
  as_of: "2026-11-20T12:00:00Z",
  data: {
    items: [
      part("/fear-greed", "10000", { value: 71 }),
      part("/regime", "20000", { regime: "bull" }),
      part("/pyth-price", "3000", { symbol: "BTC" }),
      part("/mempool", "8000", { hashrate_eh_s: 942.5 }),
      part("/ai-news", "8000", { items: [] }),
      part("/trust-hash", "3000", { leaves: 1 }),
    ],
    parts_price_atomic: "52000",
    price_atomic: "40000",
    saving_pct: 23.08,
    combined: {
      signals: [
        { path: "/fear-greed", signal: "bullish" },
        { path: "/regime", signal: "bullish" },
        { path: "/pyth-price", signal: "na" },
        { path: "/mempool", signal: "na" },
        { path: "/ai-news", signal: "na" },
        { path: "/trust-hash", signal: "na" },
      ],
      agreement: 1,
      directional: 2,
    },
    next_steps: [
      { path: "/stock-quote", title: "US stock quote", price_usd: "0.015", call: `GET ${URL}/stock-quote` },
      { path: "/sentiment", title: "Sentiment", price_usd: "0.02", call: `GET ${URL}/sentiment` },
      { path: "/sanctions", title: "Sanctions screen", price_usd: "0.05", call: `GET ${URL}/sanctions` },
    ],
    how_to_pay: [`${URL}/guide.md`, `${URL}/llms.txt`, `${URL}/get-pricing`],
  },
};
