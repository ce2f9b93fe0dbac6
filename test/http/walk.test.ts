import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { EndpointFacts } from "../../src/audit/facts.ts";
import { readLinks } from "../../src/audit/links.ts";
import { readAskedPrices } from "../../src/audit/prices.ts";
import { judge } from "../../src/audit/rules.ts";
import { fetchFacts } from "../../src/commands/audit-fetch.ts";
import { cleanUp, type DemoNode, startDemo, waitForPast } from "../helpers/demo-node.ts";
import { EFFORT } from "../helpers/effort.ts";
import { createManualTimers } from "../helpers/manual-timers.ts";

let node: DemoNode;
let facts: EndpointFacts;
let sold: readonly string[];

beforeAll(async () => {
  node = await startDemo({ history: true });
  await waitForPast(node);
  const pricing = (await (await node.get("/get-pricing")).json()) as { products: { path: string }[] };
  sold = pricing.products.map(({ path }) => path);
  facts = await fetchFacts(node.url, createManualTimers());
});
afterAll(cleanUp);

const PAGES_MAX = 3_000;
/** Follows every link of this node from one page on, as a crawler does, and tells what each was answered with. */
async function crawl(start: string): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const waiting = [start];
  for (let path = waiting.shift(); path !== undefined && seen.size < PAGES_MAX; path = waiting.shift()) {
    // The sandbox's own controls are no part of a node.
    if (seen.has(path) || path.startsWith("/__sandbox")) continue;
    // A page leads to the same places in another language or view: with quick counts one in four of those is read.
    if (EFFORT === "quick" && path.includes("?") && path.length % 4 > 0) continue;
    // Each product's picture takes half a second of a core to draw, all of them in one way: one in eight.
    if (EFFORT === "quick" && path.startsWith("/og/") && path.length % 8 > 0) continue;
    const response = await node.get(path, { accept: "text/html, */*;q=0.5" });
    seen.set(path, response.status);
    const target = response.headers.get("location");
    const is_text = /json|text|xml/.test(response.headers.get("content-type") ?? "");
    const text = is_text ? await response.text() : "";
    waiting.push(...readLinks(text, node.url), ...(target?.startsWith("/") ? [target] : []));
  }
  return seen;
}

describe.each(["/", "/.well-known/x402", "/llms.txt"])("a crawler that starts at %s", (start) => {
  test("reaches every product, meets its price there, and no dead end anywhere", async () => {
    const seen = await crawl(start);
    const found = sold.map((path) => [path, seen.get(path)]);
    expect(found).toEqual(sold.map((path) => [path, 402]));
    expect([...seen].filter(([, status]) => status === 404 || status >= 500)).toEqual([]);
    expect(seen.size).toBeLessThan(PAGES_MAX);
  });
});

describe("all documents", () => {
  test("list the same products as are sold", () => {
    expect(facts.products).toEqual([...sold].sort());
    expect(judge(facts).results.find(({ id }) => id === "complete")).toMatchObject({ share: 1, findings: [] });
  });

  test("state the price that every product asks for", () => {
    for (const path of sold) expect(new Set(readAskedPrices(facts, path)).size).toBe(1);
    expect(judge(facts).results.find(({ id }) => id === "prices")).toMatchObject({ share: 1, findings: [] });
  });

  test.each(["walk", "own-address", "shapes", "openapi"])("meet the rule %s of the audit", (rule) => {
    expect(judge(facts).results.find(({ id }) => id === rule)).toMatchObject({ share: 1, findings: [] });
  });
});
