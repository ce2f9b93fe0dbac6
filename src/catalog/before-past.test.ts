import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createRequest, createTestProvider, createTestUpstream } from "../../test/helpers/fake-upstream.ts";
import { NodeError } from "../core/errors.ts";
import { createCatalog } from "./catalog.ts";
import type { FetchContext, History } from "./context.ts";
import { defineProduct } from "./product.ts";
import { createRunner } from "./runner.ts";

const api = createTestProvider({ id: "api", base_urls: ["http://api.test"] });
const spare = createTestProvider({ id: "spare", base_urls: ["http://spare.test"] });
const NO_HISTORY: History = { read: async () => [] };

/** A sandbox that still lives its past, whose product `fetch` makes. */
function createWorld(fetchValue: (context: FetchContext) => Promise<unknown>) {
  const state = { lived: false, made: 0, failures: 0, stood_back: 0, is_down: false };
  const past = Promise.withResolvers<void>();
  const { clock, upstream } = createTestUpstream({
    fetch: async (url) =>
      state.is_down && url.includes("spare") ? new Response("down", { status: 500 }) : Response.json({ value: 1 }),
  });
  const product = defineProduct({
    path: "/sold-early",
    title: "Sold early",
    description: "A product that may need what is stored.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ n: Type.Number() }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [api, spare],
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
    past: () => (state.lived ? null : past.promise),
    standBack(waiting) {
      state.stood_back += 1;
      return waiting;
    },
    onFailure: () => {
      state.failures += 1;
    },
    onSuccess: () => undefined,
  });
  return {
    clock,
    state,
    call: () => runner.produce(sold, sold.params.defaults),
    endPast() {
      state.lived = true;
      past.resolve();
    },
  };
}

const needNothing = (context: FetchContext) => context.get(api, createRequest());

test("what needs nothing that is stored is sold before the past is lived, and made anew soon after", async () => {
  const { clock, state, call, endPast } = createWorld(needNothing);
  expect((await call()).body).toContain('"n":1');
  expect(state).toMatchObject({ made: 1, stood_back: 0 });
  endPast();
  clock.advance(4_999);
  await call();
  expect(state.made).toBe(1);
  clock.advance(1);
  await call();
  expect(state.made).toBe(2);
});

test("data not stored yet is waited for: the run does not count as failed and delays nothing", async () => {
  const { state, call, endPast } = createWorld(async () => {
    if (!state.lived) throw new NodeError("no_history", "Nothing is stored yet. Nothing was charged.");
  });
  const answer = call();
  while (state.stood_back === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(state).toMatchObject({ made: 1, failures: 0 });
  endPast();
  expect((await answer).body).toContain('"n":1');
  expect(state).toMatchObject({ made: 2, failures: 0 });
});

test("with a part missing it is not sold before the past is lived", async () => {
  const { state, call, endPast } = createWorld((context) =>
    context.each({ a: () => context.get(api, createRequest()), b: () => context.get(spare, createRequest()) }),
  );
  state.is_down = true;
  const answer = call();
  while (state.stood_back === 0) await new Promise((resolve) => setImmediate(resolve));
  state.is_down = false;
  endPast();
  await answer;
  expect(state).toMatchObject({ made: 2, failures: 0 });
});

test("what was refused for what the call asked is refused at once: it is not done twice", async () => {
  const { state, call } = createWorld(async () => {
    throw new NodeError("upstream_unavailable", "The peer gave nothing. Nothing was charged.", { of_request: true });
  });
  expect(await call().catch((error: unknown) => error)).toMatchObject({ code: "upstream_unavailable" });
  expect(state).toMatchObject({ made: 1, stood_back: 0 });
});
