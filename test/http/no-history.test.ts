import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** Three quarters of an hour after a four-hour close: too late to evaluate it, so a new node has no signals. */
const START_MS = Date.UTC(2026, 9, 1, 12, 45);
const OPENS: Readonly<Record<string, string>> = {
  "/alpha-signal": "2026-10-01T16:02:00Z",
  "/sinais": "2026-10-01T16:02:00Z",
  "/win-rate-verified": "2026-10-02T18:10:00Z",
};

let node: ProductNode;
beforeAll(async () => {
  node = await startProductNode({ seed_history: false, runs_jobs: true, now_ms: START_MS });
}, 60_000);
afterAll(() => node.stop());

const readJSON = async (path: string) => (await fetch(`${node.url}${path}`)).json() as Promise<Record<string, unknown>>;

describe("a product made of records that do not exist yet", () => {
  test.each(Object.entries(OPENS))("%s is sold from %s on, and says so before anybody signs", async (path, opens) => {
    const product = node.products.find((one) => one.path === path);
    if (!product) throw new Error(`${path} is not offered`);
    const { available_from, error } = await readJSON(path);
    expect(available_from).toBe(opens);
    expect(error).toContain(`no data before ${opens}`);
    const before = node.settlements();
    const answer = await node.buy(product);
    const problem = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, problem.code, problem.charged]).toEqual([503, "no_history", false]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3_600);
    expect(node.settlements()).toBe(before);
  });

  test("the price list names the time of those and of no other", async () => {
    const { products } = (await readJSON("/get-pricing")) as { products: { path: string; available_from: unknown }[] };
    const waiting = products.filter(({ available_from }) => available_from !== null);
    expect(Object.fromEntries(waiting.map(({ path, available_from }) => [path, available_from]))).toEqual(OPENS);
  });
});
