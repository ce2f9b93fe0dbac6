import { describe, expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { canonicalURL } from "../links/canonical-url.ts";
import type { FeedNews } from "../news/stored-news.ts";
import { FEEDS } from "../providers/feeds/feeds.ts";
import { computeAINews as draft } from "./compute.ts";
import type { AINewsInputs } from "./fetch.ts";
import type { AINewsData } from "./schema.ts";

const computeAINews = (...given: Parameters<typeof draft>) => settled<AINewsData>(draft(...given));

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const HOUR_MS = 3_600_000;

const news = (
  title: string,
  feed_id: string,
  age_h: number,
  url = `https://${feed_id}.example/1?utm_source=rss`,
): FeedNews => {
  const feed = FEEDS.find(({ id }) => id === feed_id);
  if (!feed) throw new Error(feed_id);
  const at_ms = NOW_MS - age_h * HOUR_MS;
  return { title, url, canonical: canonicalURL(url) ?? "", feed, at_ms, first_seen_ms: at_ms };
};
const story = (title: string, url: string, points: number) => ({
  title,
  url,
  points,
  comments: 3,
  discussion: "https://news.ycombinator.com/item?id=1",
  at_ms: NOW_MS - HOUR_MS,
});
const compute = (items: readonly FeedNews[], change: Partial<AINewsInputs> = {}) =>
  computeAINews(
    {
      topic: "ai",
      news: {
        items,
        fresh: FEEDS.map((feed) => ({ feed, read_at_ms: NOW_MS })),
        failed: [],
        dead: [],
        barred: [],
      },
      stories: [],
      withheld: 0,
      read_at_ms: NOW_MS,
      ...change,
    },
    25,
  );

describe("a cluster", () => {
  test("shows the best source first, all that report it, and the score of its factors", () => {
    const { data } = compute([
      news("OpenAI launches GPT-6 for all users", "techcrunch", 3),
      news("OpenAI releases GPT-6 to all users", "openai", 2),
      news("OpenAI rolls GPT-6 out to all users", "the_verge", 5),
    ]);
    expect(data.items).toHaveLength(1);
    const [item] = data.items;
    expect(item?.independent).toBe(3);
    expect(item).toMatchObject({ source: "OpenAI", domain: "openai.example", age_h: 2, tags: ["models"] });
    expect(item?.domains).toEqual(["openai.example", "the_verge.example", "techcrunch.example"]);
    // 2 h old, tier 1, three domains, one term: the published vector.
    expect(item?.score).toBeCloseTo(80.7, 1);
    expect(data.by_tag.models).toBe(1);
  });

  test("shows the age of the item it links, and beside it when the newest of the cluster came", () => {
    const { data } = compute([
      news("OpenAI releases GPT-6 to all users", "openai", 30),
      news("OpenAI launches GPT-6 for all users", "techcrunch", 2),
    ]);
    const [item] = data.items;
    expect(item).toMatchObject({ source: "OpenAI", age_h: 30, newest_age_h: 2 });
    expect((NOW_MS - Date.parse(item?.published_at ?? "")) / HOUR_MS).toBe(30);
    expect(item?.factors.recency).toBeCloseTo(Math.exp(-2 / 12), 12);
  });

  test("has its discussion when somebody submitted one of its pages", () => {
    const page = "https://openai.example/gpt";
    const { data } = compute([news("OpenAI releases GPT-6", "openai", 2, page)], {
      stories: [story("GPT-6", `${page}/?utm_source=hn`, 5), story("GPT-6 again", page, 90)],
    });
    expect(data.items).toHaveLength(1);
    expect(data.items[0]?.hn).toMatchObject({ points: 90, comments: 3 });
  });

  test("older than 48 hours is not news", () => {
    expect(compute([news("OpenAI releases GPT-6", "openai", 48.1)]).data.items).toEqual([]);
  });
});

test("stories about something else than the subject are left out", () => {
  const stories = [
    story("An air guitar AIrline", "https://b.example/1", 9),
    story("A new LLM", "https://b.example/2", 9),
  ];
  expect(compute([], { stories }).data.items.map(({ title }) => title)).toEqual(["A new LLM"]);
});

test("what was not heard is named", () => {
  const [feed] = FEEDS;
  if (!feed) throw new Error("no feed");
  const { data, warnings } = compute([news("a model", "openai", 1)], {
    stories: null,
    news: { items: [news("a model", "openai", 1)], fresh: [], failed: [feed], dead: [feed], barred: [] },
  });
  expect(data.coverage).toEqual({ feeds_ok: 0, feeds_failed: ["openai"], feeds_dead: ["openai"], feeds_barred: [] });
  expect(data.trending_terms).toBeNull();
  expect(warnings.map((text) => text.split(":")[0])).toEqual([
    "coverage.feeds_failed",
    "items[OpenAI].hn",
    "trending_terms",
  ]);
});

test("terms trend from the seventh stored day on", () => {
  const old = news("nothing", "openai", 24 * 7);
  const { data } = compute([old, news("agents here", "openai", 1), news("agents there", "techcrunch", 2)]);
  expect(data.trending_terms).toMatchObject([{ term: "agents", count_24h: 2, median_14d: 0, ratio: null }]);
});
