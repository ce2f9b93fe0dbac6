import { describe, expect, test } from "bun:test";
import { canonicalURL } from "../links/canonical-url.ts";
import { cluster, similarity, wordsOf } from "./cluster.ts";
import { countIndependent } from "./corroboration.ts";
import { ownerOf } from "./owners.ts";
import { rankFactors, rankScore } from "./rank.ts";
import { findTerms } from "./topic-terms.ts";
import { findTrending } from "./trending.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TITLES = [
  "Bitcoin slides below $64,000 as ETF outflows mount - CoinDesk",
  "Bitcoin slides below $64,000 as ETF outflows mount",
  "ETF outflows mount as Bitcoin slides under $64,000 | Decrypt",
  "OpenAI releases GPT-6 to all users",
  "OpenAI launches GPT-6 for all users",
];

describe("addresses", () => {
  test.each([
    [
      "http://www.CoinDesk.com/markets/2026/11/20/btc-slides/?utm_source=rss&utm_medium=feed#top",
      "https://coindesk.com/markets/2026/11/20/btc-slides",
    ],
    ["https://m.example.com//a/b/amp/", "https://example.com/a/b"],
    ["https://example.com/?b=2&a=1&fbclid=x", "https://example.com/?a=1&b=2"],
    ["https://example.com", "https://example.com/"],
    ["https://example.com:8443/x?q=a+b", "https://example.com:8443/x?q=a+b"],
    ["ftp://x/y", null],
    ["javascript:alert(1)", null],
    ["https://user:secret@example.com/", null],
    ["no address", null],
  ])("%s", (text, canonical) => {
    expect(canonicalURL(text)).toBe(canonical);
    // A canonical address stays unchanged.
    if (canonical !== null) expect(canonicalURL(canonical)).toBe(canonical);
  });
});

describe("clusters", () => {
  test("similarities of the published titles", () => {
    const of = (a: number, b: number) => similarity(wordsOf(TITLES[a] ?? ""), wordsOf(TITLES[b] ?? ""));
    expect(of(0, 1)).toBe(1);
    expect(of(0, 2)).toBeCloseTo(0.7778, 4);
    expect(of(1, 2)).toBeCloseTo(0.7778, 4);
    expect(of(3, 4)).toBeCloseTo(0.7143, 4);
    expect(of(0, 3)).toBe(0);
    expect(similarity(new Set(), new Set())).toBe(0);
  });

  test("the same news in other words is one, whatever the order it came in", () => {
    const items = TITLES.map((title, index) => ({ title, at_ms: index * HOUR_MS }));
    const groups = [TITLES.slice(0, 3), TITLES.slice(3)];
    expect(cluster(items).map((one) => one.map(({ title }) => title))).toEqual(groups);
    expect(cluster(items.toReversed()).map((one) => one.map(({ title }) => title))).toEqual(groups);
  });

  test("after two days it is other news", () => {
    const of = (at_ms: number) => ({ title: TITLES[0] ?? "", at_ms });
    expect(cluster([of(0), of(48 * HOUR_MS)])).toHaveLength(1);
    expect(cluster([of(0), of(48 * HOUR_MS + 1)])).toHaveLength(2);
  });
});

describe("ranks", () => {
  test.each([
    [{ age_h: 2, tier: 1, domains: 3, terms: 1 }, 80.7],
    [{ age_h: 10, tier: 0.6, domains: 1, terms: 2 }, 54.06],
  ])("%p", (of, score) => {
    expect(rankScore(rankFactors(of))).toBeCloseTo(score, 1);
  });

  test("nothing is worth more than 100, and five domains are as good as fifty", () => {
    expect(rankScore(rankFactors({ age_h: 0, tier: 1, domains: 50, terms: 9 }))).toBeCloseTo(100, 9);
    expect(rankFactors({ age_h: 0, tier: 1, domains: 5, terms: 0 }).corroboration).toBe(1);
  });
});

describe("terms", () => {
  test("words and phrases show what a title is about", () => {
    const tags = (title: string) => [...new Set(findTerms(title).map(({ tag }) => tag))];
    expect(tags("OpenAI releases GPT-6 to all users")).toEqual(["models"]);
    expect(tags("A coding agent from a data center")).toEqual(["chips", "agents"]);
    expect(tags("The modelling of remodelled homes")).toEqual([]);
  });

  test("a term mentioned more than its median of 14 days trends", () => {
    const now_ms = 100 * DAY_MS;
    const told = [
      ...Array.from({ length: 14 }, (_, day) => ({ at_ms: now_ms - (day + 1) * DAY_MS - 1, terms: ["gpu", "agent"] })),
      ...Array.from({ length: 6 }, () => ({ at_ms: now_ms - 1, terms: ["gpu", "gpu"] })),
      ...Array.from({ length: 2 }, () => ({ at_ms: now_ms - 1, terms: ["gpt"] })),
      { at_ms: now_ms - 1, terms: ["agent"] },
      { at_ms: now_ms - 16 * DAY_MS, terms: ["gpt"] },
    ];
    expect(findTrending(told, now_ms)).toEqual([
      { term: "gpt", count_24h: 2, median_14d: 0, ratio: null },
      { term: "gpu", count_24h: 6, median_14d: 1, ratio: 6 },
    ]);
  });
});

describe("corroboration", () => {
  const told = (title: string, domain: string, at_ms = 0) => ({ title, domain, at_ms });

  test("sites have owners: the longest that is listed", () => {
    expect(["www.bbc.co.uk", "feeds.bbci.co.uk", "bbc.com"].map(ownerOf)).toEqual(["BBC", "BBC", "BBC"]);
    expect(ownerOf("developers.googleblog.com")).toBe(ownerOf("deepmind.google"));
    expect(ownerOf("somebody.example")).toBe("somebody.example");
    expect(ownerOf("notgoogle.com")).toBe("notgoogle.com");
  });

  test("two sites of one owner are one, and so are ten copies of one wire", () => {
    const [title = "", , other = ""] = TITLES;
    expect(countIndependent([told(title, "bbc.com"), told(other, "bbc.co.uk")])).toBe(1);
    expect(countIndependent([told(title, "a.example"), told(other, "b.example")])).toBe(2);
    const copies = Array.from({ length: 10 }, (_, index) => told(title, `site${index}.example`, index));
    expect(countIndependent(copies)).toBe(1);
    expect(countIndependent([...copies, told(other, "own.example", 99)])).toBe(2);
  });
});
