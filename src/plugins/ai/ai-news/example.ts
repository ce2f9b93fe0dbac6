import type { AINewsData } from "./schema.ts";

export const example: { readonly params: Record<string, never>; readonly as_of: string; readonly data: AINewsData } = {
  params: {},
  as_of: "2026-11-20T12:00:00Z",
  data: {
    topic: "ai",
    items: [
      {
        title: "OpenAI releases GPT-6 to all users",
        url: "https://openai.com/news/gpt-6?utm_source=rss",
        domain: "openai.com",
        source: "OpenAI",
        published_at: "2026-11-20T10:00:00.000Z",
        age_h: 2,
        tags: ["models"],
        score: 77,
        factors: { recency: 0.846, tier: 1, corroboration: 0.613, relevance: 0.5 },
        domains: ["openai.com", "theverge.com"],
        independent: 2,
        hn: { points: 812, comments: 401, url: "https://news.ycombinator.com/item?id=45000000" },
      },
    ],
    by_tag: { models: 1, chips: 0, regulation: 0, funding: 0, research: 0, agents: 0, safety: 0, "open-source": 0 },
    trending_terms: [{ term: "gpt", count_24h: 2, median_14d: 0, ratio: null }],
    coverage: { feeds_ok: 25, feeds_failed: [], feeds_dead: [], feeds_barred: [] },
    written_by: "none",
  },
};
