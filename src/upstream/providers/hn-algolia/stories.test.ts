import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { simulator } from "./simulator.ts";
import { fetchStories } from "./stories.ts";

const NOW_S = 1_790_000_000;
const NOW_MS = NOW_S * 1000;
const HOUR_S = 3_600;

const hit = (change: object = {}) => ({
  objectID: "37392676",
  title: "Bitcoin wallet exploit explained",
  url: "https://blog.example/exploit",
  author: "someone",
  points: 42,
  num_comments: 7,
  created_at: "2026-09-21T00:00:00Z",
  created_at_i: NOW_S - HOUR_S,
  _tags: ["story"],
  ...change,
});
const bodyOf = (...hits: unknown[]) => ({ hits, nbHits: hits.length, page: 0, nbPages: 1, hitsPerPage: 50 });
const read = (body: unknown) =>
  fetchStories(createRecordedContext({ now_ms: NOW_MS, bodies: { "hn_algolia GET /search_by_date?": body } }), {
    words: "bitcoin",
    window_h: 72,
  });

describe("Hacker News", () => {
  test("a story gives title, address, points and date", async () => {
    expect(await read(bodyOf(hit()))).toEqual([
      {
        title: "Bitcoin wallet exploit explained",
        url: "https://blog.example/exploit",
        points: 42,
        comments: 7,
        discussion: "https://news.ycombinator.com/item?id=37392676",
        at_ms: NOW_MS - 3_600_000,
      },
    ]);
  });

  test("the window starts at a whole hour", async () => {
    let asked = "";
    const body = ({ path }: { path: string }) => {
      asked = path;
      return bodyOf();
    };
    expect(await read(body)).toEqual([]);
    const since_s = Math.floor(NOW_S / HOUR_S) * HOUR_S - 72 * HOUR_S;
    expect(new URLSearchParams(asked.split("?")[1]).get("numericFilters")).toBe(`created_at_i>=${since_s}`);
  });

  test("a text story's address is its discussion; without a title it is left out; no votes, no points", async () => {
    const stories = await read(
      bodyOf(
        hit({ url: null }),
        hit({ title: null }),
        hit({ title: " " }),
        hit({ url: "javascript:alert(1)" }),
        hit({ points: null }),
        hit({ points: -3 }),
      ),
    );
    const discussion = "https://news.ycombinator.com/item?id=37392676";
    expect(stories.map(({ url }) => url === discussion)).toEqual([true, true, false, false]);
    expect(stories.map(({ points }) => points)).toEqual([42, 42, 0, 0]);
  });

  test("other shapes, stories from before the window and of the future are refused", async () => {
    const bodies: unknown[] = [
      null,
      {},
      { hits: null },
      bodyOf(hit({ objectID: 5 })),
      bodyOf(hit({ created_at_i: null })),
      bodyOf(hit({ created_at_i: NOW_S + 61 })),
      bodyOf(hit({ created_at_i: NOW_S - 74 * HOUR_S })),
      bodyOf(hit({ points: "42" })),
    ];
    for (const body of bodies) {
      const error = await read(body).catch((thrown: unknown) => thrown);
      expect(error instanceof UpstreamError && error.kind).toBe("upstream_bad_response");
    }
  });

  test("the simulated one is read like the real one", async () => {
    const noise = (key: string) => (Bun.hash.crc32(key) % 10_000) / 10_000;
    const world = { now: () => NOW_MS, price: (_: string, at_ms = NOW_MS) => 100 + Math.sin(at_ms / 1e8), noise };
    const ask = ({ path }: { path: string }) => {
      const url = new URL(path, "http://localhost");
      const request = { method: "GET", path: url.pathname, query: url.searchParams, headers: new Headers() };
      const answer = simulator.respond({ ...request, body: undefined }, world);
      return "json" in answer ? answer.json : null;
    };
    const stories = await read(ask);
    expect(stories.length).toBeGreaterThan(5);
    expect(stories.every(({ title }) => title.includes("Bitcoin"))).toBe(true);
  });
});
