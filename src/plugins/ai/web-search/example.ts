import type { WebSearchData } from "./schema.ts";

const data: WebSearchData = {
  query: "x402 payments",
  results: [
    {
      rank: 1,
      title: "x402 payments - part 3",
      url: "https://en.wikipedia.org/?curid=100",
      domain: "en.wikipedia.org",
      snippet: "About x402 payments and more",
      published_at: null,
      score: 0.013115,
      engines: ["wikipedia"],
      suspicious: false,
    },
    {
      rank: 2,
      title: "x402 payments - part 5",
      url: "https://en.wikipedia.org/?curid=101",
      domain: "en.wikipedia.org",
      snippet: "About x402 payments and more",
      published_at: null,
      score: 0.012903,
      engines: ["wikipedia"],
      suspicious: false,
    },
    {
      rank: 3,
      title: "x402 payments - part 4",
      url: "https://en.wikipedia.org/?curid=102",
      domain: "en.wikipedia.org",
      snippet: "About x402 payments and more",
      published_at: null,
      score: 0.012698,
      engines: ["wikipedia"],
      suspicious: false,
    },
    {
      rank: 4,
      title: "Show HN: x402 payments, take 1",
      url: "https://www.lab.example/x402-payments/6/",
      domain: "lab.example",
      snippet: null,
      published_at: "2025-12-14T14:00:00.000Z",
      score: 0.009836,
      engines: ["hn_algolia"],
      suspicious: false,
    },
  ],
  engines: [
    {
      id: "wikipedia",
      ok: true,
      count: 10,
      weight: 0.8,
    },
    {
      id: "hn_algolia",
      ok: true,
      count: 6,
      weight: 0.6,
    },
    {
      id: "news_store",
      ok: true,
      count: 0,
      weight: 0.8,
    },
  ],
  coverage: "limited",
};

/** From the sandbox; lists are cut short. */
export const example = { params: { q: "x402 payments" }, as_of: "2026-01-13T14:00:00.000Z", data };
