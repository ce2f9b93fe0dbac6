import { describe, expect, test } from "bun:test";
import { validatePaymentRequiredDetailed } from "@agentcash/discovery";
import { type TSchema, Type } from "@sinclair/typebox";
import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import {
  type DiscoveryExtension,
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from "@x402/extensions/bazaar";
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  extractPaymentIdentifier,
} from "@x402/extensions/payment-identifier";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type CatalogProduct, createCatalog } from "../../src/catalog/catalog.ts";
import { createPlanProducts, createPlans } from "../../src/catalog/plans.ts";
import type { LoadedPlugin } from "../../src/catalog/plugin.ts";
import { type AnyProduct, defineProduct } from "../../src/catalog/product.ts";
import { renderChallenge } from "../../src/payments/challenge.ts";
import { NETWORKS } from "../../src/payments/networks/table.ts";
import { refuse } from "../../src/payments/refusal.ts";
import type { Offer } from "../../src/payments/types.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { postProduct } from "../helpers/surface-model.ts";

const ADDRESSES = {
  base: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  solana: "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse",
  algorand: "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
};
const EXTRA = {
  base: { name: "USD Coin", version: "2" },
  solana: { feePayer: ADDRESSES.solana },
  algorand: { feePayer: ADDRESSES.algorand, tag: "x402-global-challenge" },
};
const offers = NETWORKS.filter(({ testnet }) => !testnet).map(
  (network): Offer => ({
    network,
    pay_to: ADDRESSES[network.wallet],
    extra: EXTRA[network.wallet],
    facilitators: ["one"],
    fee_payers: [],
  }),
);
const load = (plugins: readonly LoadedPlugin[]): readonly CatalogProduct[] =>
  createCatalog({ plugins, prices: {}, preview_delay_ms: 0, reserved_paths: [], whyNot: () => null }).products;
const pluginOf = (...own: AnyProduct[]): LoadedPlugin => ({
  id: "test",
  title: "Test",
  file: "test",
  origin: "built-in",
  products: own.map((product) => ({ file: product.path, product })),
  jobs: [],
  simulators: [],
});
/** The built-in ones, plans among them, and one that takes a body. */
const products = load([...registry, createPlanProducts(createPlans({}), {}), pluginOf(postProduct)]);
const public_url = "https://intel.node-of-an-operator.example";
const prepay_url = `${public_url}/buy-credits`;
const options = { public_url, service_name: "intel-node", sample: null, prepay_url };
const render = (product: CatalogProduct, more: Partial<typeof options> = {}) =>
  renderChallenge(product, { ...options, ...more, offers });

type Shown = { extensions: { bazaar: DiscoveryExtension } & Record<string, unknown>; [name: string]: unknown };
type Described = Readonly<Record<string, { readonly info: object; readonly schema: object }>>;
const decode = (header: string) => JSON.parse(Buffer.from(header, "base64").toString()) as Shown;
const bodyOf = ([head, tail]: readonly [string, string]) => JSON.parse(`${head}req_1${tail}`) as Shown;

/** A product with parameters or data of a test's own. */
const productWith = (more: Partial<AnyProduct>): CatalogProduct => {
  const [product] = load([pluginOf(defineProduct({ ...postProduct, methods: ["GET"], ...more } as AnyProduct))]);
  if (!product) throw new Error("no product");
  return product;
};

test("the 402 of a list says how many rows the newest answer had, in header and body of both versions", () => {
  const [product] = products;
  if (!product) throw new Error("no product");
  const listed = { n: 0, of: "candidates", as_of_ms: Date.parse("2026-11-28T14:00:00Z") };
  const challenge = renderChallenge(product, { ...options, listed, offers });
  const error = "Payment required; the plain call had 0 candidates at 2026-11-28T14:00:00Z";
  const newest_plain_answer = { n: 0, of: "candidates", as_of: "2026-11-28T14:00:00Z" };
  for (const body of [challenge.body, challenge.body_v1]) {
    expect(bodyOf(body)).toMatchObject({ error, newest_plain_answer });
  }
  expect([challenge.header, challenge.header_v1].map((header) => decode(header).error)).toEqual([error, error]);
  // Before there is data there is no list either.
  const early = renderChallenge(product, { ...options, listed, opens_ms: listed.as_of_ms, offers });
  expect(bodyOf(early.body).error).toContain("no data before 2026-11-28T14:00:00Z");
  expect(bodyOf(early.body).newest_plain_answer).toBeUndefined();
});

describe("the 402 of every product, on all main networks", () => {
  const all = products.map((product) => [product.path, product] as const);

  // The whole head is measured in test/http/heads.test.ts.
  test.each(all)("%s leaves room for the rest of a 4 kB head", (_path, product) => {
    const challenge = render(product);
    expect(challenge.networks.length).toBeGreaterThan(1);
    expect(challenge.header.length).toBeLessThan(3_300);
    const refusal = refuse("invalid_payment", "invalid_exact_svm_payload_transaction_simulation_failed", "…");
    expect(challenge.refused(refusal, { id: "req_1", protocol: 2 }).header.length).toBeLessThan(3_300);
  });

  test.each(all)(
    "%s passes the schemas of the official client and of agentcash, in header and body",
    (_path, product) => {
      const { header, body } = render(product);
      for (const shown of [decode(header), bodyOf(body)]) {
        expect(PaymentRequiredV2Schema.safeParse(shown).error).toBeUndefined();
        const { valid, normalized, issues } = validatePaymentRequiredDetailed(shown);
        expect({ valid, issues }).toEqual({ valid: true, issues: [] });
        expect(normalized).toMatchObject({ version: 2, hasInputSchema: true, hasOutputSchema: true });
      }
    },
  );

  test.each(all)("%s is described for catalogs by a block that is true of itself", (_path, product) => {
    const { header, body } = render(product);
    for (const { extensions } of [decode(header), bodyOf(body)]) {
      const { bazaar } = extensions;
      expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
      expect(validateDiscoveryExtensionSpec(bazaar as unknown as Record<string, unknown>)).toMatchObject({
        valid: true,
      });
      expect(JSON.stringify(bazaar)).not.toContain('"$ref"');
    }
  });

  test.each(all)(
    "%s has extensions whose info is valid by their own schema, in every form of the 402",
    (_p, product) => {
      const { header, header_v1, body } = render(product);
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
      const refused = render(product).refused(refuse("invalid_payment", "x", "…"), { id: "req_1", protocol: 2 });
      const shown = [decode(header), decode(header_v1), decode(refused.header), bodyOf(body)];
      for (const [name, { info, schema }] of shown.flatMap(({ extensions }) =>
        Object.entries(extensions as Described),
      )) {
        expect([name, typeof info, typeof schema]).toEqual([name, "object", "object"]);
        expect(ajv.validate(schema, info) || `${name}: ${ajv.errorsText()}`).toBe(true);
      }
    },
  );

  test.each(all)(
    "%s is found by a facilitator's catalog under its own address, method, name and tags",
    (_p, product) => {
      const { resource, accepts, extensions } = decode(render(product).header);
      const [accepted] = accepts as Record<string, unknown>[];
      const payload = { x402Version: 2, resource, accepted, payload: {}, extensions };
      type Extract = Parameters<typeof extractDiscoveryInfo>;
      const found = extractDiscoveryInfo(payload as unknown as Extract[0], accepted as unknown as Extract[1]);
      expect(found).toMatchObject({
        resourceUrl: `${public_url}${product.path}`,
        method: product.methods[0] ?? "",
        serviceName: "intel-node",
        tags: [...product.definition.tags],
        iconUrl: `${public_url}/icon.png`,
      });
    },
  );

  test.each(all)("%s says the same in header and body, and the body more", (_path, product) => {
    const { header, body } = render(product);
    const { resource, ...offer } = decode(header) as Shown & { resource: { description: string } };
    const { description, ...of_resource } = resource;
    expect(bodyOf(body)).toMatchObject({ ...offer, resource: of_resource });
    expect(product.definition.description).toStartWith(description.replace(/\.{3}$/, ""));
    const { extensions } = bodyOf(body);
    const { output } = extensions.bazaar.info as { output: { example: { data: object } } };
    const whole = product.definition.example.data as object;
    // A long example is cut to real members of it; the OpenAPI document has it whole.
    if (JSON.stringify(whole).length <= 2_000) expect(output.example.data).toEqual(whole);
    else expect(whole).toMatchObject(output.example.data);
  });

  test.each(all)("%s keeps to what facilitators and clients take", (_path, product) => {
    const { resource } = decode(render(product).header) as unknown as { resource: Record<string, unknown> };
    expect(String(resource.description).length).toBeLessThanOrEqual(450);
    expect(String(resource.serviceName)).toMatch(/^[\x20-\x7e]{1,32}$/);
    const tags = resource.tags as string[];
    expect(tags.length).toBeLessThanOrEqual(5);
    expect(new Set(tags.map((tag) => tag.toLowerCase())).size).toBe(tags.length);
    for (const tag of tags) expect(tag).toMatch(/^[\x20-\x7e]{1,32}$/);
  });
});

test("parameters are shown with their limits, required ones as such", () => {
  const product = products.find(({ path }) => path === postProduct.path);
  if (!product) throw new Error("not loaded");
  const { schema, info } = bodyOf(render(product).body).extensions.bazaar as unknown as {
    info: { input: unknown };
    schema: { properties: { input: { properties: Record<string, unknown> } } };
  };
  expect(info.input).toEqual({ type: "http", method: "POST", bodyType: "json", body: { text: "why" } });
  expect(schema.properties.input.properties.body).toEqual({
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: {
      text: { type: "string", description: "What is asked.", minLength: 1 },
      mode: { type: "string", enum: ["short", "long"], default: "short" },
      days: { type: "number", enum: [1, 7] },
      limit: { type: ["integer", "null"], description: "At most." },
    },
  });
});

test("a product with a great many parameters has a header as short as any, and all of them in the body", () => {
  const names = Array.from({ length: 40 }, (_, index) => `parameter_${index}`);
  const params = Type.Object(
    Object.fromEntries(
      names.map((name): [string, TSchema] => [name, Type.Optional(Type.String({ description: "word ".repeat(20) }))]),
    ),
  );
  const { header, body } = render(productWith({ params, example: { ...postProduct.example, params: {} } }));
  expect(header.length).toBeLessThan(3_300);
  const { schema } = bodyOf(body).extensions.bazaar as unknown as {
    schema: { properties: { input: { properties: { queryParams: { properties: object } } } } };
  };
  expect(Object.keys(schema.properties.input.properties.queryParams.properties)).toEqual([...names, "preview"]);
});

test("data that is a list has an example that is one", () => {
  const data = [{ name: "a" }, { name: "b" }];
  const schema = Type.Array(Type.Object({ name: Type.String() }));
  const product = productWith({ data: schema, example: { ...postProduct.example, data } });
  const { bazaar } = decode(render(product).header).extensions;
  expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
  expect(bazaar.info).toMatchObject({ output: { example: { data: [{ name: "a" }] } } });
});

test.each([
  ["https://node.example.com", "https://node.example.com/icon.png"],
  ["http://127.0.0.1:8790", undefined],
  ["http://[::1]:8790", undefined],
  ["http://localhost:8790", undefined],
  ["http://node.localhost", undefined],
])("the icon of %s is %p", (url, icon) => {
  const [product] = products;
  if (!product) throw new Error("no product");
  const { resource } = decode(render(product, { public_url: url }).header) as unknown as { resource: object };
  expect((resource as { iconUrl?: string }).iconUrl).toBe(icon);
  expect("iconUrl" in resource).toBe(icon !== undefined);
});

test("a key is named as another way to pay, but not for what buys one", () => {
  for (const product of products) {
    const { extensions } = decode(render(product).header);
    const key = { info: { header: "X-API-Key", buy: prepay_url }, schema: expect.any(Object) };
    expect(extensions["api-key"]).toEqual(product.definition.plan ? undefined : key);
  }
  const [product] = products;
  if (!product) throw new Error("no product");
  const without = renderChallenge(product, { public_url, service_name: "intel-node", sample: null, offers });
  expect(decode(without.header).extensions["api-key"]).toBeUndefined();
  expect(bodyOf(without.body).alternatives).not.toHaveProperty("credits");
  expect(bodyOf(render(product).body).alternatives).toMatchObject({
    mcp: `${public_url}/mcp`,
    openapi: `${public_url}/openapi.json`,
    credits: prepay_url,
    preview: `${public_url}${product.path}?preview=1`,
    x402_v1: `${public_url}${product.path}?x402Version=1`,
  });
});

test("offers the payment identifier as the official extension declares it", () => {
  const [product] = products;
  if (!product) throw new Error("no product");
  const { header, body } = render(product);
  const { extensions } = decode(header);
  const declared = declarePaymentIdentifierExtension(false);
  expect(bodyOf(body).extensions["payment-identifier"]).toEqual(JSON.parse(JSON.stringify(declared)));
  const id = "order-0123456789abcdef";
  const echoed = appendPaymentIdentifierToExtensions(structuredClone(extensions), id);
  const payload = { x402Version: 2, extensions: echoed } as unknown as Parameters<typeof extractPaymentIdentifier>[0];
  expect(extractPaymentIdentifier(payload)).toBe(id);
});

describe("the header for clients of version 1", () => {
  const [product] = products.filter(({ path }) => path === "/fear-greed");
  const render = (off?: Parameters<typeof renderChallenge>[1]["off"]) => {
    if (!product) throw new Error("no product");
    const options = { public_url, service_name: "intel-node", offers, sample: null };
    return renderChallenge(product, off ? { ...options, off } : options);
  };
  const familiesOf = (header: string) =>
    (JSON.parse(Buffer.from(header, "base64").toString()) as { accepts: { network: string }[] }).accepts.map(
      ({ network }) => network.split(":")[0],
    );
  const namesOf = ([head, tail]: readonly [string, string]) =>
    (JSON.parse(head + tail) as { accepts: { network: string }[] }).accepts.map(({ network }) => network);

  test("lists no network that they cannot read: thirdweb's client reads it all and throws", () => {
    const { header, header_v1, refused } = render();
    expect(familiesOf(header)).toEqual(["eip155", "solana", "algorand"]);
    expect(familiesOf(header_v1)).toEqual(["eip155", "solana"]);
    const refusal = refuse("invalid_payment", "x", { reason: "unreadable" } as never);
    expect(familiesOf(refused(refusal, { id: "req_1", protocol: 1 }).header)).toEqual(["eip155", "solana"]);
    expect(familiesOf(refused(refusal, { id: "req_1", protocol: 2 }).header)).toHaveLength(3);
  });

  test("and each version lacks the networks its operator switched off for it", () => {
    const { header, header_v1, body, body_v1 } = render({ v1: ["solana"], v2: ["algorand"] });
    expect(familiesOf(header)).toEqual(["eip155", "solana"]);
    expect(namesOf(body)).toHaveLength(2);
    expect(familiesOf(header_v1)).toEqual(["eip155"]);
    expect(namesOf(body_v1)).toEqual(["base"]);
  });
});
