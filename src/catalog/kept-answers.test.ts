import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createTestUpstream } from "../../test/helpers/fake-upstream.ts";
import { createCatalog } from "./catalog.ts";
import { defineProduct } from "./product.ts";
import { createRunner } from "./runner.ts";

/** Nearly as long as an answer may be: 70 of them are more than the 64 MB that are kept. */
const TEXT = "x".repeat(950_000);
const ANSWERS = 70;

test("answers are kept by their bytes, not by their number: the oldest go when all are too long", async () => {
  const { clock, upstream } = createTestUpstream({ fetch: async () => Response.json({}) });
  let made = 0;
  const product = defineProduct({
    path: "/long",
    title: "Long",
    description: "A product with long answers.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({ n: Type.Integer({ minimum: 0, maximum: 1_000, default: 0 }) }),
    data: Type.Object({ text: Type.String() }),
    example: { params: { n: 0 }, as_of: "2026-01-01T00:00:00Z", data: { text: "" } },
    providers: [],
    requires: [],
    ttl: "1h",
    deadline_ms: 5_000,
    preview: { every: "1h" },
    fetch: async () => {
      made += 1;
    },
    compute: () => ({ as_of_ms: clock.now(), data: { text: TEXT }, warnings: [] }),
  });
  const plugin = { id: "p", title: "p", file: "product.ts", origin: "built-in" as const, jobs: [], simulators: [] };
  const [sold] = createCatalog({
    plugins: [{ ...plugin, products: [{ file: "product.ts", product }] }],
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
    history: { read: async () => [] },
    createContext: upstream.createContext,
    onFailure: () => undefined,
    onSuccess: () => undefined,
  });
  const ask = (n: number) => runner.produce(sold, sold.params.fromQuery(`n=${n}`));
  for (let n = 0; n < ANSWERS; n++) await ask(n);
  expect(made).toBe(ANSWERS);
  await ask(ANSWERS - 1);
  expect(made).toBe(ANSWERS);
  await ask(0);
  expect(made).toBe(ANSWERS + 1);
});
