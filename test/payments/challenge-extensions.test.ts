import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type CatalogProduct, createCatalog } from "../../src/catalog/catalog.ts";
import { createIdentity } from "../../src/core/identity.ts";
import type { ExtensionContent } from "../../src/payments/extensions/extension.ts";
import { CHALLENGE_EXTENSIONS, createExtensions, forwardExtensions } from "../../src/payments/extensions/registry.ts";
import { createOfferSigner } from "../../src/trust/offers.ts";
import { postProduct } from "../helpers/surface-model.ts";

const NAMES = CHALLENGE_EXTENSIONS.map(({ name }) => name);

const catalog = createCatalog({
  plugins: [
    {
      id: "test",
      title: "Test",
      file: "test",
      origin: "built-in",
      jobs: [],
      simulators: [],
      products: [{ file: "test", product: postProduct }],
    },
  ],
  prices: {},
  preview_delay_ms: 0,
  reserved_paths: [],
  whyNot: () => null,
});
const product = catalog.products[0] as CatalogProduct;
const subject = { product, prepay_url: "http://localhost/plan", signed_offers: { info: {}, schema: {} } };

test("the body holds all extensions, in the order of the list", () => {
  expect(Object.keys(createExtensions(subject)({ detail: "body" }))).toEqual(NAMES);
});

test("parts that no payment needs are dropped from a full header, but never the payment's own name", () => {
  const namesIn = (...[room]: Parameters<ReturnType<typeof createExtensions>>) =>
    Object.keys(createExtensions(subject)(room));
  expect(namesIn({ detail: "header" })).toEqual(["bazaar", "payment-identifier", "api-key"]);
  expect(namesIn({ detail: "input", is_brief: true, is_lean: true })).toEqual(["bazaar", "payment-identifier"]);
  expect(namesIn({ detail: "none", is_brief: true, is_lean: true })).toEqual(["payment-identifier"]);
});

test("an extension that has nothing to say of a product is not there", () => {
  expect(Object.keys(createExtensions({ product })({ detail: "body" }))).toEqual(["bazaar", "payment-identifier"]);
});

const ADDRESS = "http://localhost/x";
const ACCEPTED = { scheme: "exact", network: "eip155:8453", asset: "0x1", payTo: "0x2", amount: "10000" };

test("each extension has info and schema, in all the room there is and in none", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
  const details = ["body", "header", "short", "tight", "typed", "input", "bare", "none"] as const;
  const signed_offers = createOfferSigner(createIdentity(), { public_url: ADDRESS })(ADDRESS, [ACCEPTED], 0);
  const extensionsIn = createExtensions({ ...subject, signed_offers });
  const rooms = details.flatMap((detail) =>
    [true, false].flatMap((is_brief) => [true, false].map((is_lean) => ({ detail, is_brief, is_lean }))),
  );
  for (const room of rooms) {
    for (const [name, extension] of Object.entries(extensionsIn(room))) {
      const { info, schema } = extension;
      expect([name, typeof info, typeof schema]).toEqual([name, "object", "object"]);
      expect(ajv.validate(schema, info) || `${name}: ${ajv.errorsText()}`).toBe(true);
    }
  }
});

test("a name of a payment is judged by the schema that asks for it", () => {
  const { info, schema } = createExtensions(subject)({ detail: "header" })["payment-identifier"] as ExtensionContent;
  const validate = new Ajv2020().compile(schema);
  const names = ["order-0123456789abcdef", "a".repeat(128), "short", "a".repeat(129), "with a blank in it"];
  expect(names.map((id) => validate({ ...info, id }))).toEqual([true, true, false, false, false]);
});

test("facilitators are told how a product is called, and nothing else", () => {
  expect(forwardExtensions(product)).toEqual({
    bazaar: createExtensions(subject)({ detail: "header" }).bazaar as ExtensionContent,
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
