import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createRequest, createTestProvider, createTestUpstream } from "../../test/helpers/fake-upstream.ts";
import { createCatalog } from "./catalog.ts";
import type { FetchContext, History } from "./context.ts";
import { defineProduct } from "./product.ts";
import { createRunner } from "./runner.ts";

const first = createTestProvider({ id: "first_api", base_urls: ["http://first.test"] });
const second = createTestProvider({ id: "second_api", base_urls: ["http://second.test"] });
const NO_HISTORY: History = { read: async () => [] };

/** A node whose product `fetch` makes, in front of hosts that can be down. */
function createWorld(fetchValue: (context: FetchContext) => Promise<unknown>) {
  const down = new Map<string, number>();
  const test_upstream = createTestUpstream({
    fetch: async (url) => {
      const status = down.get(new URL(url).hostname);
      return status === undefined ? Response.json({ value: 1 }) : new Response("down", { status });
    },
  });
  const { clock, upstream } = test_upstream;
  const state = { made: 0 };
  const product = defineProduct({
    path: "/parts",
    title: "Parts",
    description: "A product of two parts.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ n: Type.Number() }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [first, second],
    requires: [],
    ttl: "1h",
    deadline_ms: 5_000,
    preview: { every: "1h" },
    fetch: async (context) => {
      state.made += 1;
      await fetchValue(context);
    },
    compute: () => ({ as_of_ms: clock.now(), data: { n: 1 }, warnings: [] }),
  });
  const [sold] = createCatalog({
    plugins: [
      {
        id: "p",
        title: "p",
        file: "product.ts",
        origin: "built-in",
        jobs: [],
        simulators: [],
        products: [{ file: "product.ts", product }],
      },
    ],
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: () => null,
  }).products;
  if (!sold) throw new Error("the product is not sold");
  const runner = createRunner({
    node_id: "test",
    sandbox: true,
    clock,
    history: NO_HISTORY,
    createContext: upstream.createContext,
    onFailure: () => undefined,
    onSuccess: () => undefined,
  });
  return { clock, down, state, call: () => runner.produce(sold, sold.params.defaults) };
}

const both = (context: FetchContext) =>
  context.each({
    a: () => context.get(first, createRequest()),
    b: () => context.get(second, createRequest()),
  });
const either = (context: FetchContext) =>
  context.first(
    "value",
    [first, second].map((provider) => ({ provider, run: () => context.get(provider, createRequest()) })),
  );

test("an answer with a part missing is made anew after five seconds, and a whole one is kept", async () => {
  const { clock, down, state, call } = createWorld(both);
  down.set("second.test", 500);
  await call();
  clock.advance(4_999);
  await call();
  expect(state.made).toBe(1);
  down.clear();
  clock.advance(1);
  await call();
  expect(state.made).toBe(2);
  clock.advance(3_599_999);
  await call();
  expect(state.made).toBe(2);
});

test("what another provider made good is not missing", async () => {
  const { clock, down, state, call } = createWorld(either);
  down.set("first.test", 500);
  const answer = await call();
  expect(answer.body).toContain('"ok":false');
  clock.advance(3_599_999);
  await call();
  expect(state.made).toBe(1);
});

test("what does not exist is known, and not missing", async () => {
  const { clock, down, state, call } = createWorld(both);
  down.set("second.test", 404);
  await call();
  clock.advance(60_000);
  await call();
  expect(state.made).toBe(1);
});
