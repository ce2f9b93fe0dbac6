import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createSimulatedNode } from "../../test/helpers/simulated-node.ts";
import { STILL_TIMERS } from "../../test/helpers/still-clock.ts";
import { NodeError } from "../core/errors.ts";
import { createCatalog } from "./catalog.ts";
import { defineProduct } from "./product.ts";
import { createRunner } from "./runner.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);
const MINUTE_MS = 60_000;

/** A node that sells one product, whose newest datum is of `as_of_ms` and which counts how often it was made. */
function createWorld(max_age?: string) {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  const state = { as_of_ms: NOW_MS, made: 0, during: (): void => undefined };
  const product = defineProduct({
    path: "/aged",
    title: "Aged",
    description: "A product whose data has an age.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ n: Type.Number() }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [],
    requires: [],
    ttl: "30m",
    ...(max_age === undefined ? {} : { max_age }),
    deadline_ms: 1_000,
    preview: { every: "1h" },
    fetch: async () => {
      state.made += 1;
      state.during();
      return 1;
    },
    compute: () => ({ as_of_ms: state.as_of_ms, data: { n: 1 }, warnings: [] }),
  });
  const file = "product.ts";
  const plugin = { id: "p", title: "p", file, origin: "built-in" as const, jobs: [], simulators: [] };
  const [sold] = createCatalog({
    plugins: [{ ...plugin, products: [{ file, product }] }],
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: () => null,
  }).products;
  if (!sold) throw new Error("the product is not sold");
  const runner = createRunner({
    node_id: "test",
    sandbox: true,
    clock: node.clock,
    timers: STILL_TIMERS,
    history: node.history,
    createContext: node.createRun,
    onFailure: () => undefined,
    onSuccess: () => undefined,
  });
  const call = () => runner.produce(sold, sold.params.defaults).then(() => "sold", codeOf);
  const read = async () => JSON.parse((await runner.produce(sold, sold.params.defaults)).body) as Made;
  const snapshots = () => runner.produceSnapshots(sold, sold.params.defaults);
  return { node, state, call, read, snapshots };
}
interface Made {
  readonly as_of: string;
  readonly generated_at: string;
}
const codeOf = (error: unknown): string => (error instanceof NodeError ? error.code : String(error));

describe("the age limit of a product", () => {
  test("data of that age is sold, older data is refused uncharged", async () => {
    const { node, state, call } = createWorld("10m");
    state.as_of_ms = NOW_MS - 10 * MINUTE_MS - 1;
    expect(await call()).toBe("upstream_unavailable");
    state.as_of_ms = NOW_MS - 10 * MINUTE_MS;
    expect(await call()).toBe("sold");
    node.close();
  });

  test("an answer kept for others is made anew once it is too old, within its ttl too", async () => {
    const { node, state, call } = createWorld("10m");
    state.as_of_ms = NOW_MS - 5 * MINUTE_MS;
    expect(await call()).toBe("sold");
    node.clock.advance(5 * MINUTE_MS);
    expect(await call()).toBe("sold");
    expect(state.made).toBe(1);
    node.clock.advance(1);
    expect(await call()).toBe("upstream_unavailable");
    state.as_of_ms = node.clock.now();
    expect(await call()).toBe("sold");
    expect(state.made).toBe(3);
    node.close();
  });

  test("previews are meant to be old", async () => {
    const { node, state, snapshots } = createWorld("10m");
    state.as_of_ms = NOW_MS - 60 * MINUTE_MS;
    expect(await snapshots()).toHaveLength(1);
    node.close();
  });

  test("without one only fetch decides", async () => {
    const { node, state, call } = createWorld();
    state.as_of_ms = 0;
    expect(await call()).toBe("sold");
    node.close();
  });
});

test("a clock that is set back while an answer is made does not make it older than its data", async () => {
  const { node, state, read } = createWorld();
  state.during = () => node.clock.set(NOW_MS - MINUTE_MS);
  const { as_of, generated_at } = await read();
  expect([as_of, generated_at]).toEqual(["2026-10-01T12:00:00Z", "2026-10-01T12:00:00Z"]);
  node.close();
});
