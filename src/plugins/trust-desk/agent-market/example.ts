import type { AgentMarketData } from "./schema.ts";

const data: AgentMarketData = {
  node: {
    node_id: "in1test",
    products: 0,
    settlements_organic: 0,
    settlements_operator_test: 0,
  },
  catalog: [],
  market: {
    resources: 180,
    listed_total: 240,
    hosts: 20,
    by_network: [
      {
        network: "eip155:8453",
        resources: 180,
      },
    ],
    price_atomic: {
      p25: 3000,
      p50: 10000,
      p75: 50000,
    },
    by_category: [
      {
        category: "token",
        resources: 33,
        price_atomic: {
          p25: 10000,
          p50: 10000,
          p75: 50000,
        },
      },
      {
        category: "other",
        resources: 31,
        price_atomic: {
          p25: 3000,
          p50: 10000,
          p75: 50000,
        },
      },
      {
        category: "wallet",
        resources: 24,
        price_atomic: {
          p25: 10000,
          p50: 25000,
          p75: 62500,
        },
      },
      {
        category: "llm",
        resources: 22,
        price_atomic: {
          p25: 4750,
          p50: 17500,
          p75: 100000,
        },
      },
      {
        category: "news",
        resources: 20,
        price_atomic: {
          p25: 8250,
          p50: 17500,
          p75: 50000,
        },
      },
      {
        category: "sentiment",
        resources: 20,
        price_atomic: {
          p25: 3000,
          p50: 25000,
          p75: 62500,
        },
      },
      {
        category: "price",
        resources: 16,
        price_atomic: {
          p25: 3000,
          p50: 10000,
          p75: 325000,
        },
      },
      {
        category: "search",
        resources: 14,
        price_atomic: {
          p25: 3000,
          p50: 10000,
          p75: 21250,
        },
      },
    ],
    top_hosts: [
      {
        host: "seller-17.example",
        resources: 18,
      },
      {
        host: "seller-16.example",
        resources: 14,
      },
      {
        host: "seller-6.example",
        resources: 14,
      },
      {
        host: "seller-5.example",
        resources: 13,
      },
      {
        host: "seller-9.example",
        resources: 12,
      },
      {
        host: "seller-12.example",
        resources: 11,
      },
      {
        host: "seller-11.example",
        resources: 10,
      },
      {
        host: "seller-14.example",
        resources: 10,
      },
      {
        host: "seller-0.example",
        resources: 9,
      },
      {
        host: "seller-2.example",
        resources: 9,
      },
    ],
    top_host_share: 0.1,
    quality_available_share: 0.2778,
    registers: ["cdp_bazaar", "payai_bazaar"],
  },
  comparables: [
    {
      resource: "https://seller-9.example/token/cdp_bazaar-116",
      network: "eip155:8453",
      category: "token",
      calls_30d: 812,
      payers_30d: 116,
      price_atomic: "10000",
      last_updated: "2026-09-25T12:34:56.002Z",
    },
    {
      resource: "https://seller-7.example/llm/payai_bazaar-116",
      network: "eip155:8453",
      category: "llm",
      calls_30d: 812,
      payers_30d: 116,
      price_atomic: "10000",
      last_updated: "2026-09-18T12:34:56.002Z",
    },
    {
      resource: "https://seller-4.example/token/cdp_bazaar-112",
      network: "eip155:8453",
      category: "token",
      calls_30d: 784,
      payers_30d: 112,
      price_atomic: "10000",
      last_updated: "2026-09-17T12:34:56.002Z",
    },
    {
      resource: "https://seller-16.example/weather/payai_bazaar-112",
      network: "eip155:8453",
      category: "other",
      calls_30d: 784,
      payers_30d: 112,
      price_atomic: "10000",
      last_updated: "2026-09-28T12:34:56.002Z",
    },
    {
      resource: "https://seller-18.example/weather/shared-108",
      network: "eip155:8453",
      category: "other",
      calls_30d: 756,
      payers_30d: 108,
      price_atomic: "10000",
      last_updated: "2026-09-24T12:34:56.002Z",
    },
  ],
  claims_note:
    "A listing is what its seller, or a facilitator, says of itself: prices, kinds and usage " +
    "were not checked here. /x402-audit looks at one of them.",
};

export const example = {
  params: { limit: 5 } as const,
  as_of: "2026-10-01T12:34:56Z",
  data,
};
