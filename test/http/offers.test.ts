import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { renderWithheldValues } from "../../src/catalog/offered-product.ts";
import { defineProduct } from "../../src/catalog/product.ts";
import { defineProvider, type ProviderDefinition } from "../../src/catalog/provider.ts";
import { listUnusedProviders } from "../../src/catalog/unused-providers.ts";
import { NodeError } from "../../src/core/errors.ts";
import { surfaces } from "../../src/surfaces/surfaces.gen.ts";
import { callTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";

const source = (id: string, key: boolean): ProviderDefinition =>
  defineProvider({
    id,
    title: id,
    docs_url: "https://example.com",
    base_urls: ["https://example.com"],
    terms: { class: "open", note: "Made for tests." },
    ...(key ? { key: { required: true, in: "header", name: "x-key" } } : {}),
    limits: { rate_per_s: 1, burst: 1, timeout_ms: 1_000, attempts: 1, body_bytes_max: 1_000 },
  });
const open = source("open_exchange", false);
const vendor = source("vendor", true);
const other_vendor = source("other_vendor", true);
const SOURCES: Readonly<Record<string, readonly ProviderDefinition[]>> = {
  tokiox: [vendor, other_vendor],
  taipei: [open],
  londonx: [vendor],
};

const quote = defineProduct({
  path: "/world",
  title: "World",
  description: "A quote of one of several markets.",
  category: "test",
  tags: [],
  price_usd: "0.01",
  tiers: { param: "market", prices: { londonx: "0.05" } },
  params: Type.Object({
    market: Type.Union([Type.Literal("tokiox"), Type.Literal("taipei"), Type.Literal("londonx")], {
      default: "tokiox",
      description: "The market.",
    }),
    symbol: Type.Optional(Type.String({ maxLength: 9, description: "A ticker." })),
  }),
  offers: { market: { whyNot: (market, node) => node.whyNone(SOURCES[market] ?? []) } },
  assertSold({ symbol }, node) {
    if (symbol === "VEND" && node.whyNot(vendor) !== null) {
      throw new NodeError("unknown_subject", "No source of this node knows VEND.", { param: "symbol" });
    }
  },
  data: Type.Object({ seen: Type.String() }),
  example: { params: { market: "londonx" }, as_of: "2026-01-01T00:00:00Z", data: { seen: "a" } },
  providers: [open, vendor, other_vendor],
  requires: [],
  ttl: "1m",
  deadline_ms: 5_000,
  preview: { every: "1h", delay: "0s", params: [{ market: "londonx" }, { market: "taipei" }] },
  tried: { order: 1, params: { market: "londonx" } },
  fetch: async (_, { market }) => market,
  compute: (seen: string, { now_ms }) => ({ as_of_ms: now_ms, data: { seen }, warnings: [] }),
});

const plugin = {
  id: "test",
  title: "Test",
  file: "test",
  origin: "built-in" as const,
  products: [{ file: "test", product: quote }],
  jobs: [],
  simulators: [],
};
const createWith = (keyed: readonly string[]) => {
  const whyNot = ({ id, key }: ProviderDefinition) =>
    key && !keyed.includes(id) ? `needs [providers.${id}] api_key` : null;
  const catalog = createCatalog({
    plugins: [plugin],
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot,
  });
  return { catalog, unused: listUnusedProviders(catalog, { whyNot }) };
};

describe("values that the configuration does not open", () => {
  test("are told to the operator with what opens each", () => {
    const { catalog, unused } = createWith([]);
    expect(renderWithheldValues(catalog.withheld_values)).toEqual([
      "/world market=tokiox: needs [providers.vendor] api_key; or needs [providers.other_vendor] api_key",
      "/world market=londonx: needs [providers.vendor] api_key",
    ]);
    expect(unused.map(({ provider, turns_on }) => [provider, turns_on])).toEqual([
      ["other_vendor", ["/world?market=tokiox"]],
      ["vendor", ["/world?market=tokiox", "/world?market=londonx"]],
    ]);
  });

  test("come back with the key", () => {
    const [product] = createWith(["vendor"]).catalog.products;
    expect(product?.params.defaults.params).toEqual({ market: "tokiox" });
    expect(product?.definition.params.properties.market).toMatchObject(quote.params.properties.market);
  });

  test("a product of which none is left is not sold", () => {
    const none = defineProduct({
      ...quote,
      path: "/none",
      offers: { market: { whyNot: () => "no licence" } },
    });
    const catalog = createCatalog({
      plugins: [{ ...plugin, products: [{ file: "test", product: none }] }],
      prices: {},
      preview_delay_ms: 0,
      reserved_paths: [],
      whyNot: () => null,
    });
    expect(catalog.products).toEqual([]);
    expect(catalog.withheld).toEqual([{ path: "/none", why: "no licence", for_buyers: "it is not sold here" }]);
  });
});

describe("a node that may sell one market of three", () => {
  let money: MoneyNode;
  beforeAll(async () => {
    money = await startMoneyNode("", undefined, { products: [quote] });
  });
  afterAll(() => money.stop());

  test("names no other anywhere", async () => {
    const documents = [...surfaces.map(({ path }) => path), "/world", "/docs", "/try"];
    for (const path of documents) {
      const text = await (await fetch(`${money.url}${path}`)).text();
      expect({ path, named: /tokiox|londonx/.test(text) }).toEqual({ path, named: false });
    }
  });

  test("sells it to who names none", async () => {
    const preview = await fetch(`${money.url}/world?preview=1`);
    expect(await preview.json()).toMatchObject({ data: { seen: "taipei" } });
  });

  test("refuses the others before the 402, and says why", async () => {
    const response = await fetch(`${money.url}/world?market=tokiox`);
    expect(response.status).toBe(422);
    const problem = (await response.json()) as { code: string; detail: string; param: string };
    expect(problem).toMatchObject({ code: "invalid_parameter", param: "market", charged: false });
    expect(problem.detail).toContain("vendor is no source of this node");
    expect(problem.detail).not.toContain("[providers");
    const tool = await callTool(money.url, "world", { args: { market: "londonx" } });
    expect(JSON.stringify(tool)).toContain("vendor is no source of this node");
  });

  test("refuses a call that no source of its can answer, though each value is sold", async () => {
    const response = await fetch(`${money.url}/world?symbol=VEND`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "unknown_subject", param: "symbol" });
  });
});
