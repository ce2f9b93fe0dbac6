import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NEWS_FEEDS } from "../../../upstream/providers/news-feeds.ts";
import { readNews, writeNews } from "../news/stored-news.ts";
import { readTone, TONE_SCOPES } from "../news/stored-tone.ts";
import { job as gdeltPull } from "./gdelt-pull.ts";
import { job as newsPull } from "./news-pull.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(options: Partial<Parameters<typeof createSimulatedNode>[0]> = {}): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS, ...options });
  nodes.push(node);
  return node;
}
const failureOf = (run: Promise<void>) => run.then(() => null).catch((error: unknown) => error);

describe("headlines", () => {
  test("of three publishers are stored for 72 hours and read by age", async () => {
    const node = createNode();
    for (let hour = 0; hour < 80; hour += 5) {
      node.clock.set(NOW_MS + hour * HOUR_MS);
      await newsPull.run(node.createContext());
    }
    const { items, feeds, missing } = await readNews(node.createContext(), 72);
    expect([feeds.length, missing]).toEqual([3, []]);
    expect(new Set(items.map(({ source }) => source))).toEqual(new Set(["CoinDesk", "Cointelegraph", "Decrypt"]));
    // One an hour and publisher, and none twice.
    expect(items.length).toBeGreaterThan(3 * 68);
    expect(items.length).toBeLessThanOrEqual(3 * 73);
    expect(new Set(items.map(({ url }) => url)).size).toBe(items.length);
    const ages = items.map(({ at_ms }) => node.clock.now() - at_ms);
    expect([...ages].sort((a, b) => a - b)).toEqual(ages);
    expect(Math.max(...ages)).toBeLessThanOrEqual(72 * HOUR_MS);
    expect((await readNews(node.createContext(), 1)).items.length).toBeLessThanOrEqual(6);
  });

  test("a story that got another title is one story, with its newest title", async () => {
    const node = createNode();
    const [feed] = NEWS_FEEDS;
    const story = { url: "https://news.example/a", at_ms: NOW_MS - HOUR_MS };
    await writeNews(node.createContext(), feed, [{ ...story, title: "First" }]);
    node.clock.advance(10 * MINUTE_MS);
    await writeNews(node.createContext(), feed, [{ ...story, title: "Second" }]);
    expect((await readNews(node.createContext(), 48)).items.map(({ title }) => title)).toEqual(["Second"]);
  });

  test("a publisher that fails leaves the others, and its own stories for an hour", async () => {
    const node = createNode();
    await newsPull.run(node.createContext());
    node.upstreams.setFault("rss_decrypt", "html");
    node.clock.advance(HOUR_MS);
    expect(String(await failureOf(newsPull.run(node.createContext())))).toContain("no headlines of rss_decrypt");
    expect((await readNews(node.createContext(), 48)).missing).toEqual([]);
    node.clock.advance(1);
    expect((await readNews(node.createContext(), 48)).missing).toEqual(["rss_decrypt"]);
  });

  test("of a publisher that was switched off since are not read", async () => {
    const node = createNode();
    await newsPull.run(node.createContext());
    const later = createNode({ off: ["rss_coindesk"] });
    for (const { provider } of NEWS_FEEDS) {
      const series = `crypto-market/news/${provider.id}`;
      await later.history.write(series, await node.history.read(series));
    }
    expect((await readNews(later.createContext(), 48)).missing).toEqual(["rss_coindesk"]);
  });
});

describe("tone", () => {
  test("every scope has its turn once an hour, one at a time", async () => {
    const node = createNode();
    const calls = () => node.upstreams.status().gdelt?.calls ?? 0;
    for (let run = 0; run < 31; run += 1) {
      const before = calls();
      await gdeltPull.run(node.createContext());
      expect(calls() - before).toBeLessThanOrEqual(1);
      node.clock.advance(2 * MINUTE_MS);
    }
    expect(calls()).toBe(TONE_SCOPES.length + 1);
    for (const scope of TONE_SCOPES) expect((await readTone(node.createContext(), scope))?.n).toBeGreaterThan(50);
  });

  test("a refusal pauses all calls, then another scope is first; the last good value stays for six hours", async () => {
    const node = createNode();
    await gdeltPull.run(node.createContext());
    node.upstreams.setFault("gdelt", "html");
    node.clock.advance(2 * MINUTE_MS);
    expect(String(await failureOf(gdeltPull.run(node.createContext())))).toContain("no tone of BTC");
    const calls = node.upstreams.status().gdelt?.calls;
    node.clock.advance(8 * MINUTE_MS);
    await gdeltPull.run(node.createContext());
    expect(node.upstreams.status().gdelt?.calls).toBe(calls ?? -1);
    node.clock.advance(2 * MINUTE_MS);
    expect(String(await failureOf(gdeltPull.run(node.createContext())))).toContain("no tone of ETH");
    expect(await readTone(node.createContext(), "market")).not.toBeNull();
    node.clock.set(NOW_MS + 6 * HOUR_MS + 1);
    expect(await readTone(node.createContext(), "market")).toBeNull();
  });
});
