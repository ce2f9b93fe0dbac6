import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createDescriptionBuyer, type DescriptionBuyer } from "../helpers/description-buyer.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** Three quarters of an hour after a four-hour close: too late to evaluate it, so a new node has no signals. */
const START_MS = Date.UTC(2026, 9, 1, 12, 45);
const OPENS: Readonly<Record<string, string>> = {
  "/alpha-signal": "2026-10-01T16:02:00Z",
  "/sinais": "2026-10-01T16:02:00Z",
  "/thesis-engine": "2026-10-01T23:20:00Z",
  "/win-rate-verified": "2026-10-02T18:10:00Z",
};

const TRUST_DESK = [
  ...["sanctions", "x402_audit", "trust_hash", "agent_market", "agent_call"],
  ...["wallet_scan", "onchain_credit", "copytrade", "job_wallet_audit", "whale_dossier"],
];

let node: ProductNode;
let buyer: DescriptionBuyer;
beforeAll(async () => {
  node = await startProductNode({ seed_history: false, runs_jobs: true, now_ms: START_MS });
  buyer = await createDescriptionBuyer(node.url);
});
afterAll(async () => {
  await buyer.close();
  await node.stop();
});

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

describe("the trust desk of a node in its first hour", () => {
  test.each(TRUST_DESK)("%s is bought through MCP by an agent that read only its description", async (tool) => {
    const first = await buyer.buy(tool);
    // Of whom nothing is known here there is nothing to sell: the description says what is answered without him.
    if (first.problem) expect(first.problem).toMatchObject({ code: "subject_not_found", charged: false });
    const { data, problem, settlement } = first.problem ? await buyer.buy(tool, true) : first;
    expect(problem).toBeNull();
    expect(settlement).toMatchObject({ success: true });
    expect(Object.keys(data ?? {}).length).toBeGreaterThan(2);
  });
});
