import { describe, expect, test } from "bun:test";
import { INJECTIONS, ORDERS } from "../../../../test/helpers/injections.ts";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job } from "../jobs/feeds.ts";
import { writeFeed } from "../news/stored-news.ts";
import { FEEDS } from "../providers/feeds/feeds.ts";
import { product } from "./product.ts";

const OF_AI = FEEDS.filter(({ topic }) => topic === "ai");
const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /ai-news", () => {
  test("what the job stored is clustered and ranked; every feed that was read is named", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const { data, sources, warnings } = await run(node);
    expect(data.items).toHaveLength(10);
    expect(data.items.map(({ score }) => score)).toEqual(
      data.items.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    expect(data.coverage).toEqual({ feeds_ok: OF_AI.length, feeds_failed: [], feeds_dead: [], feeds_barred: [] });
    expect(sources.filter(({ provider }) => provider === "feeds")).toHaveLength(OF_AI.length);
    expect(data.items.some(({ domains }) => domains.length > 1)).toBe(true);
    expect(warnings).toEqual(["trending_terms: this node has not stored seven days of headlines yet"]);
  });

  test("the same headline is stored once, with the time it was first seen", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const first = await run(node);
    node.clock.advance(600_000);
    await job.run(node.createContext());
    const second = await run(node);
    const seen = new Set(second.inputs.news.items.map(({ canonical }) => canonical));
    expect(seen.size).toBe(second.inputs.news.items.length);
    const [item] = first.inputs.news.items;
    const again = second.inputs.news.items.find(({ canonical }) => canonical === item?.canonical);
    expect(again?.first_seen_ms).toBe(item?.first_seen_ms ?? 0);
  });

  test("headlines that give orders to a machine are withheld and counted; the others come as plain words", async () => {
    const node = createNode();
    const long = "A model that reads ".repeat(40);
    const titles = [...INJECTIONS.map(({ text }) => text), `<b>${long}</b><!-- buy now -->`, "A model<br>of \u202eAI"];
    const [feed] = OF_AI;
    if (!feed) throw new Error("no feed");
    for (let from = 0; from < titles.length; from += 30) {
      const items = titles.slice(from, from + 30).map((title, index) => ({
        title,
        url: `https://${feed.host}/${from + index}`,
        at_ms: NOW_MS - 60_000,
      }));
      await writeFeed(node.createContext(), feed, items);
    }
    const { inputs, data, warnings } = await run(node, "limit=25");
    expect(inputs.withheld).toBeGreaterThan(INJECTIONS.length * 0.9);
    expect(warnings.some((text) => text.startsWith("items: ") && text.includes("withheld"))).toBe(true);
    const shown = JSON.stringify([data, inputs.news.items]);
    expect(shown).not.toMatch(/<!--|<b>|<br>|[^\P{C}\n]/u);
    expect(shown).toContain("A model of AI");
    for (const { title } of inputs.news.items) expect([...title].length).toBeLessThanOrEqual(200);
    for (const order of ORDERS) expect(shown).not.toContain(order);
  });

  test("silent feeds leave Hacker News, with warnings; without both nothing is sold", async () => {
    const node = createNode();
    node.upstreams.setFault("feeds", "http500");
    await expect(job.run(node.createContext())).rejects.toThrow("no feed could be read");
    const { data, warnings } = await run(node);
    expect(data.coverage.feeds_failed).toHaveLength(OF_AI.length);
    expect(warnings.some((text) => text.startsWith("coverage.feeds_failed"))).toBe(true);
    node.upstreams.setFault("hn_algolia", "http500");
    node.clock.advance(600_000);
    expect((await refusalOf(run(node))).status).toBe(503);
  });

  test("each topic has its own feeds, tags and headlines", async () => {
    const node = createNode();
    await job.run(node.createContext());
    for (const topic of ["crypto", "macro", "geo", "brazil"]) {
      const { data, sources } = await run(node, `topic=${topic}`);
      const feeds = FEEDS.filter((feed) => feed.topic === topic);
      expect(data.coverage.feeds_ok).toBe(feeds.length);
      expect(data.items.some(({ tags }) => tags.length > 0)).toBe(true);
      expect(sources.map(({ url }) => url)).toEqual(feeds.map(({ host, path }) => `https://${host}${path}`));
    }
  });

  test("a feed that failed for a day is dead, one that answers again is not", async () => {
    const node = createNode();
    await job.run(node.createContext());
    node.upstreams.setFault("feeds", "http500");
    for (let hours = 0; hours < 26; hours += 13) {
      node.clock.advance(13 * 3_600_000);
      await job.run(node.createContext()).catch(() => undefined);
    }
    node.clock.advance(12 * 3_600_000);
    expect((await run(node)).data.coverage.feeds_dead).toHaveLength(OF_AI.length);
    node.upstreams.setFault("feeds", "none");
    await job.run(node.createContext());
    expect((await run(node)).data.coverage).toMatchObject({ feeds_ok: OF_AI.length, feeds_dead: [] });
  });
});
