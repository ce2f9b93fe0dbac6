import { beforeAll, describe, expect, test } from "bun:test";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { createRunner } from "../../src/catalog/runner.ts";
import { createWholeNode, type Outcome, PRODUCTS, produce, shareNodeWithPast } from "../helpers/catalog-world.ts";
import { createLatencyGate } from "../helpers/latency-gate.ts";
import { startProductNode } from "../helpers/product-node.ts";
import { createSimulatedNode, type SimulatedNode } from "../helpers/simulated-node.ts";

/** Within the half hour after a four-hour close, in which signals are made. */
const START_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const LATENCY_MS = 300;
/** Amounts that follow from the first quotes, failover and bridges are rounds of their own; more is a sequence. */
const ROUNDS_MAX = 6;
const CALLS_MAX = 80;
const BUYERS = 1_000;
/** What a first buyer waits for at most, ms, where it was promised; all else has its deadline. */
const COLD_MS: Readonly<Record<string, number>> = {
  "/wallet-scan": 1_000,
  "/job/wallet-audit": 2_000,
  "/whale-dossier": 2_000,
  "/x402-audit": 4_000,
};

let stored: SimulatedNode;
let now_ms = START_MS;
beforeAll(async () => {
  stored = await shareNodeWithPast(START_MS);
  now_ms = stored.clock.now();
});

const eachProduct = test.each(PRODUCTS.map((product) => [product.path, product] as const));

describe(`a cold call with every upstream at ${LATENCY_MS} ms`, () => {
  const callCold = async (product: CatalogProduct, stores?: SimulatedNode) => {
    const gate = createLatencyGate();
    const node = createWholeNode({ now_ms, delay: gate.pass, ...(stores ? { stores } : {}) });
    const outcome = await produce(node, product);
    const asked = Object.entries(node.upstreams.status()).flatMap(([id, { calls }]) => (calls > 0 ? [id] : []));
    if (!stores) node.close();
    const sources = outcome.ok ? outcome.sold.sources : [];
    return { ok: outcome.ok, rounds: gate.rounds(), calls: gate.calls(), asked, sources };
  };

  eachProduct("%s asks side by side and is ready within its deadline", async (path, product) => {
    const { ok, rounds, calls } = await callCold(product, stored);
    expect([path, ok]).toEqual([path, true]);
    expect(rounds).toBeLessThanOrEqual(ROUNDS_MAX);
    expect(calls).toBeLessThanOrEqual(CALLS_MAX);
    expect(rounds * LATENCY_MS).toBeLessThan(COLD_MS[path] ?? product.definition.deadline_ms);
  });

  eachProduct("%s on a node whose jobs never ran keeps its deadline too, sold or refused", async (_, product) => {
    const { ok, rounds, asked, sources } = await callCold(product);
    // Nothing was recorded and nobody was asked: there is nothing to take money for.
    expect([ok, ok && sources.length === 0]).toEqual([ok, false]);
    expect(rounds * LATENCY_MS).toBeLessThan(product.definition.deadline_ms);
    // Operators and buyers read there whom it may ask, and whom the products may that it asks for.
    expect(product.providers.map(({ id }) => id)).toEqual(expect.arrayContaining(asked));
  });

  test("calls in sequence are rounds, calls at once are one", async () => {
    const gate = createLatencyGate();
    await Promise.all([gate.pass(), gate.pass(), gate.pass()]);
    expect([gate.rounds(), gate.calls()]).toEqual([1, 3]);
    await gate.pass();
    await gate.pass();
    expect([gate.rounds(), gate.calls()]).toEqual([3, 5]);
  });
});

describe(`${BUYERS} buyers within one ttl`, () => {
  // What is made of a buyer's own input is kept for nobody else.
  const shared = PRODUCTS.filter(({ ttl_ms }) => ttl_ms > 0).map((product) => [product.path, product] as const);
  test.each(shared)("%s asks its upstreams once for all of them", async (_, product) => {
    const callsOf = (node: SimulatedNode) =>
      Object.fromEntries(Object.entries(node.upstreams.status()).map(([id, { calls }]) => [id, calls]));
    const request = product.params.fromBody(product.definition.example.params);
    const openShop = () => {
      const node = createWholeNode({ now_ms, stores: stored });
      // Every run ends in one of the two, those of the products that this one asks for too.
      const runs: string[] = [];
      const count = ({ path }: CatalogProduct) => runs.push(path);
      const runner = createRunner({
        node_id: "test",
        sandbox: true,
        clock: node.clock,
        history: node.history,
        createContext: node.createRun,
        find: (path) => PRODUCTS.find((one) => one.path === path),
        onFailure: count,
        onRun: count,
        onSuccess: () => undefined,
      });
      return { node, runs, buy: () => runner.produce(product, request) };
    };
    const alone = openShop();
    await alone.buy();
    const { node: crowded, runs, buy } = openShop();
    const first = await Promise.all(Array.from({ length: BUYERS / 2 }, buy));
    const later = [];
    for (let n = 0; n < BUYERS / 2; n += 1) later.push(await buy());
    expect(new Set([...first, ...later].map(({ body }) => body)).size).toBe(1);
    expect(runs.filter((path) => path === product.path)).toEqual([product.path]);
    // A product may be asked about several subjects: as often as for one buyer.
    expect(runs.toSorted()).toEqual(alone.runs.toSorted());
    expect(callsOf(crowded)).toEqual(callsOf(alone.node));
  });

  test("over HTTP each of them pays once", async () => {
    const node = await startProductNode({ seed_history: false });
    const product = node.products.find(({ path }) => path === "/fear-greed");
    if (!product) throw new Error("/fear-greed is not sold");
    // Nodes of a chain are asked by the node itself, too: whether payments landed.
    const readCalls = async () => ({ ...(await node.readCalls()), evm_rpc: null });
    await node.buy(product);
    const before = { calls: await readCalls(), settlements: node.settlements() };
    const paid = 100;
    const answers = await Promise.all(Array.from({ length: paid }, () => node.buy(product)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(node.settlements() - before.settlements).toBe(paid);
    expect(await readCalls()).toEqual(before.calls);
    await node.stop();
  });
});

/** Names of the members of an answer; of raw ones, which have no envelope, none. */
const listNames = (data: unknown): readonly string[] =>
  typeof data === "object" && data !== null ? Object.keys(data).sort() : [];

describe("an operator without a key or licence", () => {
  test("sells every built-in product, at least 15 of them", async () => {
    const stores = stored;
    const node = createSimulatedNode({ now_ms, stores });
    const outcomes: { readonly path: string; readonly outcome: Outcome }[] = [];
    // One after the other: all at once they share a busy machine, and each has a deadline.
    for (const product of PRODUCTS) outcomes.push({ path: product.path, outcome: await produce(node, product) });
    const refused = outcomes.flatMap(({ path, outcome }) => (outcome.ok ? [] : [`${path}: ${outcome.error.message}`]));
    expect(refused).toEqual([]);
    expect(outcomes.length).toBeGreaterThanOrEqual(15);
    // Its example was made by another sandbox at another time: the form is the same.
    const forms = outcomes.flatMap(({ path, outcome }) =>
      outcome.ok ? [[path, listNames(outcome.sold.data)] as const] : [],
    );
    const examples = PRODUCTS.map(({ path, definition }) => [path, listNames(definition.example.data)] as const);
    expect(forms).toEqual(examples);
  });
});
