import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type CatalogProduct, createCatalog } from "../../src/catalog/catalog.ts";
import { CHALLENGE_EXTENSIONS, createExtensions, forwardExtensions } from "../../src/payments/extensions/registry.ts";
import { postProduct } from "../helpers/surface-model.ts";

const NAMES = CHALLENGE_EXTENSIONS.map(({ name }) => name);

const catalog = createCatalog({
  plugins: [
    {
      ...{ id: "test", title: "Test", file: "test", origin: "built-in", jobs: [], simulators: [] },
      products: [{ file: "test", product: postProduct }],
    },
  ],
  ...{ prices: {}, preview_delay_ms: 0, reserved_paths: [], whyNot: () => null },
});
const product = catalog.products[0] as CatalogProduct;
const subject = { product, prepay_url: "http://localhost/plan", signed_offers: { info: {} } };

test("the body holds all extensions, in the order of the list", () => {
  expect(Object.keys(createExtensions(subject)({ detail: "body" }))).toEqual(NAMES);
});

test("what no payment needs gives way in a header, and the payment's own name never does", () => {
  const namesIn = (...[room]: Parameters<ReturnType<typeof createExtensions>>) =>
    Object.keys(createExtensions(subject)(room));
  expect(namesIn({ detail: "header" })).toEqual(["bazaar", "payment-identifier", "api-key"]);
  expect(namesIn({ detail: "input", is_brief: true, is_lean: true })).toEqual(["bazaar", "payment-identifier"]);
  expect(namesIn({ detail: "none", is_brief: true, is_lean: true })).toEqual(["payment-identifier"]);
});

test("an extension that has nothing to say of a product is not there", () => {
  expect(Object.keys(createExtensions({ product })({ detail: "body" }))).toEqual(["bazaar", "payment-identifier"]);
});

test("facilitators are told how a product is called, and nothing else", () => {
  expect(forwardExtensions(product)).toEqual({
    bazaar: createExtensions(subject)({ detail: "header" }).bazaar as object,
  });
});

test("each name is given once, and each file of an extension is in the list", () => {
  expect(new Set(NAMES).size).toBe(NAMES.length);
  const parts = ["bazaar-detail.ts", "extension.ts", "registry.ts"];
  const files = readdirSync(join(import.meta.dir, "../../src/payments/extensions")).filter(
    (name) => !parts.includes(name),
  );
  expect(files.length).toBe(NAMES.length);
});
