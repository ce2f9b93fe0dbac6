import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { CatalogError, type CatalogOptions, createCatalog } from "./catalog.ts";
import type { LoadedPlugin } from "./plugin.ts";
import { type AnyProduct, defineProduct } from "./product.ts";
import { defineProvider, type ProviderDefinition } from "./provider.ts";

const provider = (id: string): ProviderDefinition =>
  defineProvider({
    id,
    title: id,
    docs_url: "https://example.com",
    base_urls: ["https://example.com"],
    terms: { class: "open", note: "test" },
    limits: { rate_per_s: 1, burst: 1, timeout_ms: 1_000, attempts: 1, body_bytes_max: 1_000 },
  });
const [first, second] = [provider("first"), provider("second")];

const good = defineProduct({
  path: "/good",
  title: "Good",
  description: "A good product.",
  category: "test",
  tags: ["test"],
  price_usd: "0.01",
  params: Type.Object({ symbol: Type.Optional(Type.String()) }),
  data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [first, second],
  requires: [[first, second]],
  ttl: "1m",
  deadline_ms: 1_000,
  preview: { every: "1h" },
  fetch: async () => 1,
  compute: () => ({ as_of_ms: 0, data: { n: 1 }, warnings: [] }),
});

const plugin = (products: readonly AnyProduct[], origin: LoadedPlugin["origin"] = "built-in"): LoadedPlugin => ({
  id: `plugin-${origin}`,
  title: "Test",
  file: "plugin.ts",
  origin,
  products: products.map((product, index) => ({ file: `product-${index}.ts`, product })),
  jobs: [],
  simulators: [],
});
const create = (plugins: readonly LoadedPlugin[], more: Partial<CatalogOptions> = {}) =>
  createCatalog({
    plugins,
    prices: {},
    preview_delay_ms: 900_000,
    reserved_paths: ["/live"],
    whyNot: () => null,
    ...more,
  });

const FAULTS: readonly (readonly [what: string, change: Partial<AnyProduct>, message: RegExp])[] = [
  ["an age limit that is not a duration", { max_age: "old" }, /max_age/],
  ["a path of the node itself", { path: "/live" }, /already taken by the node itself/],
  ["a path in upper case", { path: "/Good" }, /lower-case/],
  ["a path with a slash at its end", { path: "/good/" }, /lower-case/],
  ["a price that is not an amount", { price_usd: "free" }, /price_usd/],
  ["a price of nothing", { price_usd: "0.00" }, /above 0/],
  ["an empty example", { example: { params: {}, as_of: "x", data: {} } }, /example\.data is empty/],
  ["a description facilitators refuse", { description: "x".repeat(451) }, /450/],
  ["a reserved parameter", { params: Type.Object({ preview: Type.String() }) }, /reserved/],
  ["a ttl without a unit", { ttl: "60" }, /ttl/],
  ["too many tags", { tags: ["a", "b", "c", "d", "e", "f"] }, /at most 5/],
];

/** Found by compiling schemas: at the start of a node for an operator's products, in test/contract for ours. */
const SCHEMA_FAULTS: typeof FAULTS = [
  ["an example that does not match its schema", { example: { params: {}, as_of: "x", data: { n: "1" } } }, /at "\/n"/],
  ["unknown example parameters", { example: { params: { x: 1 }, as_of: "x", data: { n: 1 } } }, /example\.params/],
  [
    "an example that lacks a parameter",
    { params: Type.Object({ pair: Type.String() }) },
    /example\.params lacks "pair"/,
  ],
  ["an invalid number of decimals", { data: Type.Object({ n: Type.Number({ decimals: -1 }) }) }, /decimals/],
];

describe("a built-in product is refused with its file named for", () => {
  test.each(FAULTS)("%s", (_, change, message) => {
    const refused = () => create([plugin([{ ...good, ...change }])]);
    expect(refused).toThrow(CatalogError);
    expect(refused).toThrow(message);
    expect(refused).toThrow(/product-0\.ts/);
  });

  test("a path taken by another product", () => {
    expect(() => create([plugin([good, good])])).toThrow(
      /product-1\.ts:\d+: path "\/good" is already taken by product-0\.ts/,
    );
  });
});

test.each(SCHEMA_FAULTS)("an operator's product with %s is left out and reported", (_, change, message) => {
  const faulty = { ...good, ...change } as AnyProduct;
  const { products, faults } = create([plugin([faulty], "operator")]);
  expect(products).toEqual([]);
  expect(faults[0]?.message).toMatch(message);
  expect(() => create([plugin([faulty])])).not.toThrow();
});

test("two products never share the name that tools and skills are called by", () => {
  const twin = { ...good, path: "/go-od" as const };
  expect(() => create([plugin([twin, { ...good, path: "/go/od" }])])).toThrow(
    /product-1\.ts: path "\/go\/od" would be called "go_od", as the product of product-0\.ts is/,
  );
});

test("an operator's faulty product is left out and reported; the others are sold", () => {
  const catalog = create([plugin([good]), plugin([{ ...good, path: "/own" }, { ...good }], "operator")]);
  expect(catalog.products.map((product) => product.path)).toEqual(["/good", "/own"]);
  expect(catalog.faults).toHaveLength(1);
  expect(catalog.faults[0]?.message).toContain("already taken");
});

test("a product is withheld only when no provider of a group may be used, with what would turn it on", () => {
  const without = (...ids: string[]) =>
    create([plugin([good])], { whyNot: ({ id }) => (ids.includes(id) ? `needs [providers.${id}] api_key` : null) });
  expect(without("first").products).toHaveLength(1);
  expect(without("first", "second").products).toEqual([]);
  expect(without("first", "second").withheld).toEqual([
    {
      path: "/good",
      why: "needs [providers.first] api_key; or needs [providers.second] api_key",
      // A plain text is for the operator: buyers never read it.
      for_buyers: "it is not sold here",
    },
  ]);
});

test("the operator's price wins", () => {
  const [product] = create([plugin([good])], { prices: { "/good": "1.5" } }).products;
  expect(product).toMatchObject({ price_atomic: 1_500_000n, price_usd: "1.50" });
});

test("a parameter with a default is not required, on any surface", () => {
  const params = Type.Object({ days: Type.Integer({ default: 30 }), pair: Type.String() });
  const example = { params: { pair: "A" }, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } };
  const [product] = create([plugin([{ ...good, params, example }])]).products;
  expect(product?.definition.params.required).toEqual(["pair"]);
  expect(product?.params.fromBody({ pair: "A" })).toMatchObject({ params: { days: 30, pair: "A" }, missing: [] });
});

test("without a model, a product that needs one is withheld and says what to set; others are sold", () => {
  const needy = { ...good, uses_model: { use: "door", need: "needed" } } as const;
  const modest = { ...good, path: "/modest", uses_model: { use: "compose", need: "optional" } } as const;
  const without = create([plugin([needy, modest])]);
  expect(without.products.map(({ path }) => path)).toEqual(["/modest"]);
  const for_buyers = "it needs a language model, and this node runs none for it";
  const why = 'needs a [[models]] entry with use = ["door"]';
  expect(without.withheld).toEqual([{ path: "/good", why, for_buyers }]);
  const having = create([plugin([needy, modest])], { whyNoModel: () => null });
  expect(having.products.map(({ path }) => path)).toEqual(["/good", "/modest"]);
});
