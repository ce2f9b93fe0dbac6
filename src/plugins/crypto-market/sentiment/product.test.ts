import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NEWS_FEEDS } from "../../../upstream/providers/news-feeds.ts";
import { product as analiseProduct } from "../analise/product.ts";
import { job as funding } from "../jobs/derivs-sample.ts";
import { job as tone } from "../jobs/gdelt-pull.ts";
import { job as news } from "../jobs/news-pull.ts";
import { job as sample } from "../jobs/sentiment-sample.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const HOUR_MS = 3_600_000;

const analise = createProductRig(analiseProduct, { now_ms: NOW_MS });
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

/** A day of the node's jobs, ending now. */
async function live(node: SimulatedNode, hours = 25): Promise<void> {
  const end_ms = node.clock.now();
  for (let hour = hours; hour >= 0; hour -= 1) {
    node.clock.set(end_ms - hour * HOUR_MS);
    await news.run(node.createContext());
    await funding.run(node.createContext());
    for (let turn = 0; turn < 4; turn += 1) await tone.run(node.createContext());
    await sample.run(node.createContext());
  }
}

describe("GET /sentiment", () => {
  test("after a day of jobs everything has a value, and every source is named", async () => {
    const node = createNode();
    await live(node, 49);
    const { data, warnings, sources, as_of_ms } = await run(node);
    expect(warnings).toEqual([]);
    expect(data.components.every(({ value }) => value !== null)).toBe(true);
    expect(data.change_24h).not.toBeNull();
    expect(data.top_positive?.length).toBeGreaterThan(0);
    expect(NOW_MS - as_of_ms).toBeLessThan(HOUR_MS);
    const names = ["gdelt", "hn_algolia", "hyperliquid", "rss_coindesk", "rss_cointelegraph", "rss_decrypt"];
    expect(sources.map(({ provider }) => provider).sort()).toEqual(names);
    expect(sources.filter(({ attribution }) => attribution).length).toBe(5);
    expect(sources.every(({ simulated }) => simulated)).toBe(true);
  });

  test("a request asks Hacker News once in five minutes, Hyperliquid once in ten seconds, nothing else", async () => {
    const node = createNode();
    await live(node, 1);
    const calls = () => Object.entries(node.upstreams.status()).map(([id, { calls: n }]) => `${id} ${n}`);
    await run(node);
    const before = calls();
    await run(node, "symbol=$btc");
    expect(calls()).toEqual(before);
    await run(node, "symbol=weth");
    const changed = calls().filter((line, index) => line !== before[index]);
    // The job has asked for ETH in this hour already.
    expect(changed.every((line) => line.startsWith("hn_algolia"))).toBe(true);
    node.clock.advance(11_000);
    await run(node);
    const later = calls().filter((line, index) => line !== before[index]);
    expect(later.map((line) => line.split(" ")[0]).filter((id) => id !== "hn_algolia")).toEqual(["hyperliquid"]);
  });

  test("a new node without Hyperliquid answers from headlines alone, and says what is missing", async () => {
    const node = createNode({ off: ["hyperliquid"] });
    await news.run(node.createContext());
    const { data, warnings } = await run(node);
    expect(data.components.filter(({ value }) => value !== null).map(({ name }) => name)).toEqual(["headlines", "hn"]);
    expect(warnings.map((text) => text.split(":")[0])).toEqual([
      "score",
      "components[gdelt_tone].value, components[gdelt_tone].raw, components[gdelt_tone].as_of",
      "components[positioning].value, components[positioning].raw, components[positioning].as_of, positioning",
      "change_24h",
    ]);
  });

  test("a node that has read nothing answers with 503", async () => {
    expect((await refusalOf(run(createNode({ off: ["hyperliquid"] })))).status).toBe(503);
  });

  test("funding and open interest are of now, as in every product, else stored ones", async () => {
    const node = createNode();
    await live(node, 25);
    node.clock.advance(HOUR_MS - 1);
    const now = await run(node);
    expect((await analise.run(node, "symbol=BTC")).data.derivatives).toMatchObject({
      funding_apr_pct: now.data.positioning?.funding_apr_pct,
      open_interest_usd: now.data.positioning?.open_interest_usd,
    });
    node.clock.advance(11_000);
    node.upstreams.setFault("hyperliquid", "http500");
    const stored = await run(node);
    expect(stored.data.positioning?.funding_apr_pct).not.toBe(now.data.positioning?.funding_apr_pct ?? Number.NaN);
    expect(stored.warnings).toContain(
      "positioning: Hyperliquid could not be asked now; funding and open interest are of 2026-10-01T12:34:56Z",
    );
    expect(stored.sources.find(({ provider, ok }) => provider === "hyperliquid" && ok)?.fetched_at).toBe(
      "2026-10-01T12:34:56Z",
    );
  });

  test("a coin without headlines is 422, and so is a text that is not a ticker", async () => {
    const node = createNode();
    await news.run(node.createContext());
    const refused = await refusalOf(run(node, "symbol=PENDLE"));
    expect([refused.status, refused.options.param]).toEqual([422, "symbol"]);
    expect(refused.options.details).toMatchObject({ got: "PENDLE", reason: "no_coverage" });
    expect((await refusalOf(run(node, "symbol=.*"))).status).toBe(422);
    expect((await refusalOf(run(createNode(), "symbol=PENDLE"))).status).toBe(503);
  });

  test.each(["http500", "stale"] as const)("without Hacker News it is a component less: %s", async (fault) => {
    const node = createNode();
    await live(node);
    node.clock.advance(300_001);
    node.upstreams.setFault("hn_algolia", fault);
    const { data, warnings } = await run(node);
    expect(data.components[3]).toMatchObject({ name: "hn", value: null, weight: 0 });
    expect(warnings.join()).toContain("components[hn].value");
  });

  test("feeds of a week ago are never read as headlines", async () => {
    const node = createNode({ off: ["hyperliquid"] });
    for (const { provider } of NEWS_FEEDS) node.upstreams.setFault(provider.id, "stale");
    expect(await news.run(node.createContext()).catch(() => "failed")).toBe("failed");
    expect((await refusalOf(run(node))).status).toBe(503);
  });

  test("headlines of an hour ago are old: positioning answers alone, then nothing does", async () => {
    const node = createNode({ off: ["hn_algolia"] });
    await live(node);
    node.upstreams.setFault("hyperliquid", "http500");
    node.clock.advance(HOUR_MS + 1);
    const { data, warnings } = await run(node);
    expect(data.components.filter(({ value }) => value !== null).map(({ name }) => name)).toEqual([
      "gdelt_tone",
      "positioning",
    ]);
    expect(warnings).toContain(
      "components[headlines].value, components[headlines].raw, components[headlines].as_of: " +
        "no feed was read within the last hour",
    );
    node.clock.advance(2 * HOUR_MS);
    expect((await refusalOf(run(node))).status).toBe(503);
  });

  test("one feed less is said", async () => {
    const node = createNode({ off: ["rss_decrypt"] });
    await live(node, 1);
    expect((await run(node)).warnings.join()).toContain("components.headlines: without rss_decrypt");
  });

  test("the preview keeps the numbers and withholds the headlines", async () => {
    const node = createNode();
    await live(node, 1);
    const { data } = await run(node);
    const redacted = product.preview.redact?.(data);
    expect(redacted).toEqual({ ...data, top_positive: null, top_negative: null });
    expect(Value.Check(product.data, redacted)).toBe(true);
  });
});
