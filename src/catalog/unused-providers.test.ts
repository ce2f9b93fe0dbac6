import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createCatalog } from "./catalog.ts";
import { defineJob, type LoadedPlugin } from "./plugin.ts";
import { type AnyProduct, defineProduct } from "./product.ts";
import type { ProductPath } from "./product-path.ts";
import { defineProvider, type ProviderDefinition } from "./provider.ts";
import { listUnusedProviders } from "./unused-providers.ts";

const provider = (id: string) =>
  defineProvider({
    id,
    title: id,
    docs_url: "https://example.com",
    base_urls: ["https://example.com"],
    terms: { class: "open", note: "of the tests" },
    limits: { rate_per_s: 1, burst: 1, timeout_ms: 1, attempts: 1, body_bytes_max: 1 },
  });
const free = provider("free");
const keyed = provider("keyed");
const licensed = provider("licensed");

const product = (
  path: ProductPath,
  providers: readonly ProviderDefinition[],
  requires: readonly (readonly ProviderDefinition[])[],
): AnyProduct =>
  defineProduct({
    path,
    title: path,
    description: "A product of the tests.",
    category: "test",
    tags: [],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ n: Type.Number() }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers,
    requires,
    ttl: "1s",
    deadline_ms: 1_000,
    preview: { every: "1h" },
    fetch: async () => 1,
    compute: (_, { now_ms }) => ({ as_of_ms: now_ms, data: { n: 1 }, warnings: [] }),
  });

const job = defineJob({
  id: "store",
  schedule: "* * * * *",
  providers: [licensed],
  at_start: false,
  deadline_ms: 1_000,
  run: async () => undefined,
});

const plugin: LoadedPlugin = {
  id: "test",
  title: "Test",
  file: "test",
  origin: "built-in",
  products: [
    product("/both", [free, keyed], [[free, keyed]]),
    product("/keyed-only", [keyed], [[keyed]]),
    product("/needs-two", [keyed, licensed], [[keyed], [licensed]]),
  ].map((one) => ({ file: one.path, product: one })),
  jobs: [job],
  simulators: [],
};

const list = (off: readonly ProviderDefinition[]) => {
  const whyNot = (one: ProviderDefinition) => (off.includes(one) ? `needs ${one.id}` : null);
  const options = { plugins: [plugin], prices: {}, preview_delay_ms: 0, reserved_paths: [], whyNot };
  return listUnusedProviders(createCatalog(options), { whyNot });
};

test("a missing key tells what it would turn on and what would read it as well", () => {
  expect(list([keyed])).toEqual([
    { provider: "keyed", why: "needs keyed", turns_on: ["/keyed-only", "/needs-two"], read_by: ["/both"], jobs: [] },
  ]);
});

test("what takes two keys is turned on by neither alone", () => {
  expect(list([keyed, licensed])).toEqual([
    { provider: "keyed", why: "needs keyed", turns_on: ["/keyed-only"], read_by: ["/both"], jobs: [] },
    { provider: "licensed", why: "needs licensed", turns_on: [], read_by: [], jobs: ["test/store"] },
  ]);
});

test("with every provider allowed there is nothing to add", () => {
  expect(list([])).toEqual([]);
});
