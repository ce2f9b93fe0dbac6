import { describe, expect, test } from "bun:test";
import { createTestModel, MODEL_TIME_MS, postProduct } from "../../test/helpers/surface-model.ts";
import { canonicalJSON } from "../core/hash.ts";
import type { SurfaceModel } from "./types.ts";
import { surface } from "./x402-manifest.surface.ts";
import { renderManifest } from "./x402-manifest.ts";

interface Entry {
  readonly url: string;
  readonly accepts: readonly { amount: string }[];
  readonly [name: string]: unknown;
}
interface Document {
  readonly lastUpdated: number;
  readonly node: Readonly<Record<string, unknown>>;
  readonly ownershipProofs: readonly string[];
  readonly resources: readonly Entry[];
  readonly [name: string]: unknown;
}

const ADDRESSES = {
  base: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  solana: "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse",
  algorand: "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
};
const parse = (model: SurfaceModel) => JSON.parse(renderManifest(model).text) as Document;
const wallet = (name: keyof typeof ADDRESSES) => ({
  network: name,
  wallet: name,
  address: ADDRESSES[name],
  status: "unproven" as const,
});
const ENTRY = [
  ...["accepts", "asset", "description", "extra", "iconUrl", "inputSchema", "maxAmountRequired", "maxTimeoutSeconds"],
  ...["method", "mimeType", "network", "outputSchema", "payTo", "scheme", "serviceName", "tags", "url"],
];

describe("the manifest", () => {
  const model: SurfaceModel = {
    ...createTestModel({ products: [postProduct] }),
    facilitator_url: "https://facilitator.example",
    wallets: [wallet("solana"), wallet("base"), wallet("algorand")],
  };
  const document = parse(model);

  test("is already in canonical form, and its digest is given with it", () => {
    const rendered = surface.render(model);
    if (!("body" in rendered)) throw new Error("one form");
    expect(rendered.body).toBe(canonicalJSON(document));
  });

  test("says what the node is", () => {
    const { node, ownershipProofs, verify, x402Version, sandbox } = document;
    expect(Object.keys(node)).toEqual(
      "chains docs facilitator freeSample mcp name node_id openapi preferredNetwork public_key url version".split(" "),
    );
    expect(node.chains).toEqual(model.networks.map(({ network }) => network));
    expect(node.preferredNetwork).toBe("eip155:8453");
    expect(ownershipProofs).toEqual([ADDRESSES.base, ADDRESSES.solana]);
    expect({ verify, x402Version, sandbox }).toEqual({
      verify: "https://node.example.com/.well-known/verify-manifest",
      x402Version: 2,
      sandbox: undefined,
    });
  });

  test("has every product whole, plans too, with the terms of its 402", () => {
    expect(document.resources.map(({ url }) => url)).toEqual(model.products.map(({ url }) => url));
    for (const [index, product] of model.products.entries()) {
      const entry = document.resources[index];
      const [base] = product.challenge.accepts;
      expect(Object.keys(entry ?? {})).toEqual(ENTRY);
      expect(entry).toMatchObject({
        method: product.method,
        accepts: product.challenge.accepts as never,
        maxAmountRequired: product.price_atomic,
        network: base?.network ?? "",
        asset: base?.asset ?? "",
        payTo: base?.payTo ?? "",
        extra: base?.extra ?? {},
        scheme: "exact",
        maxTimeoutSeconds: 300,
        mimeType: "application/json",
        tags: product.tags as never,
      });
    }
  });

  test("describes parameters with example and limits, and the first level of the data", () => {
    const entry = document.resources.find(({ url }) => url.endsWith(postProduct.path));
    expect(entry?.inputSchema).toEqual({
      type: "object",
      additionalProperties: false,
      required: ["text"],
      properties: {
        text: { type: "string", description: "What is asked.", minLength: 1, example: "why" },
        mode: { type: "string", description: "mode", enum: ["short", "long"], default: "short", example: "short" },
        days: { type: "number", description: "days", enum: [1, 7], example: 1 },
        limit: { type: ["integer", "null"], description: "At most." },
      },
    });
    expect(entry?.outputSchema).toEqual({
      mimeType: "application/json",
      type: "object",
      properties: { answer: { type: "string", description: "What is known." } },
    });
  });

  test("is dated by what it says but the date, so rendering it again changes nothing", () => {
    const digests: string[] = [];
    const at = (now_ms: number) =>
      renderManifest({
        ...model,
        now_ms,
        changedAt: (digest) => {
          digests.push(digest);
          return 7;
        },
      });
    expect(at(1).text).toBe(at(9_000_000).text);
    expect(new Set(digests).size).toBe(1);
    expect(at(1).changed_at).toBe(7);
    renderManifest({ ...model, products: model.products.slice(1), changedAt: (one) => digests.push(one) });
    expect(new Set(digests).size).toBe(2);
  });
});

test("a sandbox says so", () => {
  expect(parse(createTestModel({ sandbox: true })).sandbox).toBe(true);
});

test("without Base, the first network is the main one", () => {
  const { node, resources } = parse(createTestModel({ networks: ["solana", "algorand"] }));
  expect(String(node.preferredNetwork)).toStartWith("solana:");
  for (const { network } of resources) expect(network).toBe(node.preferredNetwork);
});

test("what cannot be paid now is a bare address, never a half-filled entry", () => {
  const model = createTestModel({ networks: [] });
  const { node, resources } = parse(model);
  expect(resources as readonly unknown[]).toEqual(model.products.map(({ url }) => url));
  expect(node).not.toHaveProperty("preferredNetwork");
  expect(node).not.toHaveProperty("facilitator");
});

/** As long as real ones are. */
function withRealTerms(model: SurfaceModel): SurfaceModel {
  const extras = [
    { name: "USD Coin", version: "2" },
    { feePayer: ADDRESSES.solana },
    { feePayer: ADDRESSES.algorand, tag: "x402-global-challenge" },
  ];
  const payees = Object.values(ADDRESSES);
  const products = model.products.map((product) => {
    const accepts = product.challenge.accepts.map((one, index) => ({
      ...one,
      payTo: payees[index] ?? "",
      extra: extras[index] ?? {},
    }));
    return { ...product, challenge: { ...product.challenge, accepts } };
  });
  return { ...model, products };
}

test("90 products are whole and within what crawlers read", () => {
  const count = 90;
  const model = withRealTerms(createTestModel({ count }));
  const { text, changed_at } = renderManifest(model);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(262_144);
  expect(changed_at).toBe(MODEL_TIME_MS / 1000);
  const { resources } = JSON.parse(text) as Document;
  expect(resources).toHaveLength(count);
  for (const entry of resources) expect(Object.keys(entry)).toEqual(ENTRY);
});

test("of more products than fit, each is whole or a bare address, and none is missing", () => {
  const model = withRealTerms(createTestModel({ count: 400 }));
  const { text } = renderManifest(model);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(262_144);
  const resources = JSON.parse(text).resources as readonly (Entry | string)[];
  expect(resources.map((one) => (typeof one === "string" ? one : one.url))).toEqual(
    model.products.map(({ url }) => url),
  );
  const whole = resources.filter((one) => typeof one !== "string");
  expect(whole.length).toBeGreaterThan(100);
  for (const entry of whole) expect(Object.keys(entry)).toEqual(ENTRY);
});
