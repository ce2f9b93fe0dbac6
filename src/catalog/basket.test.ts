import { describe, expect, test } from "bun:test";
import { createBasketWorld } from "../../test/helpers/basket-products.ts";
import { type ErrorCode, isNodeError, type NodeError } from "../core/errors.ts";
import { registry } from "../plugins/registry.gen.ts";
import { createBasketPlugin, priceBasket } from "./basket.ts";
import { readBasketItems, renderBasketItems, whyNotInBasket } from "./basket-items.ts";
import { type CatalogProduct, createCatalog } from "./catalog.ts";
import { createPlanProducts, createPlans } from "./plans.ts";
import type { LoadedPlugin } from "./plugin.ts";
import { tierOf } from "./tiers.ts";

const world: LoadedPlugin = {
  id: "test",
  title: "Test",
  file: "test",
  origin: "built-in",
  jobs: [],
  simulators: [],
  products: createBasketWorld().products.map((product) => ({ file: "test", product })),
};

function catalogOf(plugins: readonly LoadedPlugin[] = [world], discount_bps = 0n) {
  return createCatalog({
    plugins: [...plugins, createPlanProducts(createPlans({}), {})],
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: () => null,
    whyNoModel: () => null,
    beside: (sold) => createBasketPlugin(sold, { discount_bps }),
  });
}

const catalog = catalogOf();
const sold = new Map<string, CatalogProduct>(catalog.products.map((product) => [product.path, product]));
const basketOf = (of = catalog): CatalogProduct => {
  const basket = of.get("/basket");
  if (!basket) throw new Error(JSON.stringify(of.faults));
  return basket;
};
const refusalOf = (items: unknown, basket = basketOf()): NodeError => {
  try {
    basket.params.fromBody(items);
  } catch (error) {
    if (isNodeError(error)) return error;
    throw error;
  }
  throw new Error("it was taken");
};

describe("a basket's price", () => {
  const terms = (discount_bps: bigint, partial = false) => ({ discount_bps, partial });

  test("is the sum of its items less the discount, which is rounded down to a whole unit", () => {
    expect(priceBasket([1_000n, 2_000n], terms(0n))).toBe(3_000n);
    expect(priceBasket([1_000n, 2_000n], terms(1_000n))).toBe(2_700n);
    // 3 x 0.3333 = 0.9999: nothing is taken off.
    expect(priceBasket([1n, 2n], terms(3_333n))).toBe(3n);
    expect(priceBasket([1n, 3n], terms(3_333n))).toBe(3n);
    expect(priceBasket([1n, 1n], terms(9_000n))).toBe(1n);
  });

  test("never falls below one unit, and never above the sum, whatever the discount", () => {
    for (let bps = 0n; bps <= 9_000n; bps += 37n) {
      for (const prices of [
        [1n, 1n],
        [1_000n, 7n],
        [123_457n, 1n, 99n],
      ]) {
        const price = priceBasket(prices, terms(bps));
        const sum = prices.reduce((all, one) => all + one, 0n);
        expect(price > 0n && price <= sum).toBe(true);
        expect((sum - price) * 10_000n <= sum * bps && sum * bps < (sum - price + 1n) * 10_000n).toBe(true);
      }
    }
  });

  test("of one item, or of items sold one by one, is the items' own price", () => {
    expect(priceBasket([1_000n], terms(5_000n))).toBe(1_000n);
    expect(priceBasket([1_000n, 2_000n], terms(5_000n, true))).toBe(3_000n);
  });

  test("is the product's own wherever it is asked for: the same object for the same sum", () => {
    const basket = basketOf(catalogOf([world], 1_000n));
    const of = (items: unknown) => tierOf(basket, basket.params.fromBody(items));
    const dear = of([{ product: "/item-1", params: { depth: "deep" } }, { product: "/item-2" }]);
    expect(dear).toMatchObject({ price_atomic: 46_800n, price_usd: "0.0468", path: "/basket" });
    expect(of([{ product: "/item-4" }, { product: "/item-5" }])).toBe(
      of([{ product: "/item-3" }, { product: "/item-6" }]),
    );
    expect(of([{ product: "/item-4" }])).not.toBe(dear);
    // A request for nothing shows the lowest price there is.
    expect(tierOf(basket, basket.params.defaults)).toBe(basket);
    expect(basket.price_usd).toBe("0.001");
  });
});

describe("the items of a basket", () => {
  test("mean the same however they are written: by list or member, by path or id, with or without defaults", () => {
    const { params } = basketOf();
    const [first, ...others] = [
      params.fromBody([{ product: "/item-1" }, { product: "/item-2", params: { word: "a" }, view: "brief" }]),
      params.fromBody({
        items: [
          { product: "item-1", params: {} },
          { view: "brief", params: { word: "a" }, product: "item-2" },
        ],
      }),
      params.fromBody({
        partial: false,
        items:
          '[{"product":"/item-1","params":{"depth":"quick"},"view":"full"},' +
          '{"product":"/item-2","params":{"word":"a","view":"brief"}}]',
      }),
    ];
    for (const other of others) expect(other.key).toBe(first?.key as string);
    expect(params.fromBody([{ product: "/item-2" }, { product: "/item-1" }]).key).not.toBe(first?.key);
  });

  test("are refused before anybody pays, naming the item", () => {
    const one = { product: "/item-1" };
    const table: readonly (readonly [unknown, string, ErrorCode?])[] = [
      [[], "items"],
      [{ items: {} }, "items"],
      [{ items: "[" }, "items"],
      [
        Array.from({ length: 21 }, (_, n) => ({ product: "/item-1", params: { word: "abcdefghijklmnopqrstu"[n] } })),
        "items",
      ],
      [[one, { product: "/item-2" }, { product: "item-1", params: { depth: "quick" } }], "items[2]"],
      [[one, { product: "/itm-2" }], "items[1].product"],
      [[{ product: "/item-2", params: { wrod: "a" } }], "items[0].params.wrod", "unknown_parameter"],
      [[{ product: "/item-2", params: { word: "A1" } }], "items[0].params.word"],
      [[{ product: "/item-2", view: "short" }], "items[0].view"],
      [[{ product: "/item-2", fields: "nothing" }], "items[0].params.fields"],
      [[{ product: "/item-2", amount: 3 }], "items[0].amount"],
      [[{ product: "/item-2", params: { as_of: "2026-11-22T14:30:00Z" } }], "items[0].params.as_of"],
      [[{ product: "/item-2", params: { since: "rcp_a" } }], "items[0].params.since"],
      [{ items: [one], since: "rcp_a" }, "since", "unknown_parameter"],
      [{ items: [one], as_of: "2026-11-22T14:30:00Z" }, "as_of", "unknown_parameter"],
      [["/item-2"], "items[0]"],
      [{ items: [one], partial: "yes" }, "partial"],
    ];
    for (const [body, param, code = "invalid_parameter"] of table) {
      const refusal = refusalOf(body);
      expect({ body, code: refusal.code, param: refusal.options.param }).toEqual({ body, code, param });
    }
    expect(refusalOf([{ product: "/itm-2" }]).message).toContain('Did you mean "/item-2"?');
  });

  test("are no plan, no basket, nothing that passes money on, asks a stranger or takes longer than a basket", () => {
    const table = {
      "/buy-credits": "sells a key",
      "/day-pass": "sells a key",
      "/basket": "is a basket itself",
      "/passing": "passes your own money on",
      "/stranger": "asks a host of your choice",
      "/slow": "may take 60 s",
    };
    for (const [product, why] of Object.entries(table)) {
      const { message, options } = refusalOf([{ product: "/item-1" }, { product }], basketOf());
      expect(message).toContain(why);
      expect(options.param).toBe("items[1].product");
    }
  });
});

test("of the built-in products a basket holds all but those it says why, and each example reads back as itself", () => {
  const built_in = catalogOf(registry);
  const out = built_in.products.flatMap((product): string[] => {
    const why = whyNotInBasket(product);
    return why === null || product.definition.plan ? [] : [product.path];
  });
  const expected = [
    "/agent-call",
    "/basket",
    "/council-deep",
    "/deep-think",
    "/llm",
    "/v1/chat/completions",
    "/x402-audit",
  ];
  expect(out.sort()).toEqual(expected);
  const by_path = new Map<string, CatalogProduct>(built_in.products.map((product) => [product.path, product]));
  for (const product of built_in.products) {
    if (whyNotInBasket(product) !== null) continue;
    const text = JSON.stringify([{ product: product.path, params: product.definition.example.params }]);
    const canonical = renderBasketItems(readBasketItems(text, by_path));
    expect(renderBasketItems(readBasketItems(canonical, by_path))).toBe(canonical);
  }
});

describe("a plugin's product that computes its price", () => {
  const [plain] = createBasketWorld().products;
  const price = { of: (): unknown => 7n };
  const definition = { ...plain, tiers: undefined, priced: { by: "the weather", price: () => price.of() as bigint } };
  const soldAt = (prices: Readonly<Record<string, string>> = {}) =>
    createCatalog({
      plugins: [{ ...world, origin: "operator", products: [{ file: "test", product: definition as never }] }],
      prices,
      preview_delay_ms: 0,
      reserved_paths: [],
      whyNot: () => null,
    });

  test("costs that, whatever [prices] says; in a basket, too", () => {
    const [product] = soldAt({ "/item-1": "0.5" }).products;
    if (!product) throw new Error("not sold");
    expect(product.price_usd).toBe("0.001");
    expect(tierOf(product, product.params.defaults).price_atomic).toBe(7n);
    const items = readBasketItems('[{"product":"/item-1"}]', new Map([[product.path, product]]));
    expect(items.map((item) => item.product.price_atomic)).toEqual([7n]);
  });

  test("is not sold while the price is invalid, and never for free", () => {
    const [product] = soldAt().products;
    if (!product) throw new Error("not sold");
    const answers: readonly (() => unknown)[] = [
      () => 0n,
      () => -1n,
      () => 7,
      () => undefined,
      () => {
        throw new Error("no");
      },
    ];
    for (const answer of answers) {
      price.of = answer;
      expect(() => tierOf(product, product.params.defaults)).toThrow("cannot be priced because of its own fault");
    }
    price.of = () => null;
    expect(tierOf(product, product.params.defaults)).toBe(product);
  });

  test("has no tiers as well, and no invalid price text", () => {
    const faultsOf = (more: object) => {
      const products = [{ file: "test", product: { ...definition, ...more } as never }];
      const plugins: readonly LoadedPlugin[] = [{ ...world, origin: "operator", products }];
      return createCatalog({ plugins, prices: {}, preview_delay_ms: 0, reserved_paths: [], whyNot: () => null }).faults;
    };
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ tiers: plain?.tiers })[0]?.message).toBe("priced: tiers say other prices, too");
    const metered = { by: "peer_price", read: () => null };
    expect(faultsOf({ metered })[0]?.message).toBe("priced: metered says other prices, too");
    expect(faultsOf({ priced: { by: "" } })[0]?.message).toContain("priced.");
  });
});

test("a node with nothing to sell has no basket", () => {
  expect(catalogOf([]).get("/basket")).toBeUndefined();
  expect(sold.size).toBeGreaterThan(20);
});
