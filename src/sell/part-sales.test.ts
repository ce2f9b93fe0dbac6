import { expect, test } from "bun:test";
import { createBasketWorld } from "../../test/helpers/basket-products.ts";
import { createBasketPlugin } from "../catalog/basket.ts";
import { type CatalogProduct, createCatalog } from "../catalog/catalog.ts";
import { createPartSales, isSoldApart } from "./part-sales.ts";
import type { SaleOutcome, SaleRequest } from "./sale.ts";

const catalog = createCatalog({
  plugins: [
    {
      id: "test",
      title: "Test",
      file: "test",
      origin: "built-in",
      jobs: [],
      simulators: [],
      products: createBasketWorld().products.map((product) => ({ file: "test", product })),
    },
  ],
  prices: {},
  preview_delay_ms: 0,
  reserved_paths: [],
  whyNot: () => null,
  beside: (sold) => createBasketPlugin(sold, { discount_bps: 0n }),
});

const asked = (headers: Record<string, string>, partial = true): SaleRequest => {
  const product = catalog.get("/basket");
  if (!product) throw new Error("no basket");
  const items = Array.from({ length: 20 }, (_, n) => ({ product: `/item-${n + 1}` }));
  return {
    product,
    method: "POST",
    preview: false,
    request_id: "r",
    client: "c",
    gone: new AbortController().signal,
    params: product.params.fromBody({ items, partial }),
    headers: new Headers(headers),
  };
};

interface Given {
  readonly find?: (path: string) => CatalogProduct | undefined;
  readonly sell?: (request: SaleRequest) => Promise<SaleOutcome>;
}
const sellApart = ({ find = catalog.get, sell = () => Promise.reject(new Error("sold")) }: Given = {}) =>
  createPartSales({
    find,
    sell,
    now_ms: () => 0,
    answerer: { node_id: "n", sandbox: false },
    refuse: () => {
      throw new Error("refused");
    },
  });

test("only a call that asks for it is sold in parts", () => {
  expect(isSoldApart(asked({}))).toBe(true);
  expect(isSoldApart(asked({}, false))).toBe(false);
  expect(isSoldApart({ ...asked({}), preview: true })).toBe(false);
});

test("is refused before anything is sold: without a key, under too long a name, with a metered item", async () => {
  const KEY = { "X-API-Key": "ink_a" };
  const metered = (path: string) => {
    const product = catalog.get(path);
    return product && path === "/item-3" ? ({ ...product, metering: {} } as CatalogProduct) : product;
  };
  const refusalOf = (work: Promise<unknown>) => work.then(String, ({ code, options }) => [code, options.param]);
  expect(await refusalOf(sellApart()(asked({})))).toEqual(["invalid_parameter", "partial"]);
  const long = sellApart()(asked({ ...KEY, "Idempotency-Key": "a".repeat(241) }));
  expect(await refusalOf(long)).toEqual(["invalid_parameter", "Idempotency-Key"]);
  expect(await refusalOf(sellApart({ find: metered })(asked(KEY)))).toEqual(["invalid_parameter", "partial"]);
});

test("sells at most four parts of a key at once, each under its name, and never hides an unknown charge", async () => {
  let [now, most] = [0, 0];
  const names: string[] = [];
  const sell = async ({ product, headers }: SaleRequest): Promise<SaleOutcome> => {
    now += 1;
    most = Math.max(most, now);
    names.push(headers.get("Idempotency-Key") ?? "");
    await Bun.sleep(0);
    now -= 1;
    // A fault of the node's own: nobody knows what it came after.
    if (product.path === "/item-5") throw new Error("a fault");
    const body = JSON.stringify({ as_of: "2026-01-01T00:00:00Z", sources: [], data: {} });
    const headers_of = { "X-Receipt-Id": `call_${names.length}`, "X-Credits-Remaining": "1.00" };
    return { kind: "answer", duration_ms: 1, served: { body, headers: headers_of } };
  };
  const outcome = await sellApart({ sell })(asked({ "X-API-Key": "ink_a", "Idempotency-Key": "n" }));
  expect(most).toBe(4);
  expect(names.toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `n#${n}`).toSorted());
  if (outcome.kind !== "answer") throw new Error(outcome.kind);
  const { data, node_id } = JSON.parse(outcome.served.body);
  expect({ node_id, delivered: data.delivered }).toEqual({ node_id: "n", delivered: 19 });
  expect(data.items[4]).toMatchObject({ product: "/item-5", charged: "unknown", error: { code: "internal_error" } });
});
