import { describe, expect, test } from "bun:test";
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  extractPaymentIdentifier,
} from "@x402/extensions/payment-identifier";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { createPlanProducts, createPlans } from "../../src/catalog/plans.ts";
import { renderChallenge } from "../../src/payments/challenge.ts";
import { NETWORKS } from "../../src/payments/networks/table.ts";
import { refuse } from "../../src/payments/refusal.ts";
import type { Offer } from "../../src/payments/types.ts";
import { registry } from "../../src/plugins/registry.gen.ts";

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
const { products } = createCatalog({
  plugins: [...registry, createPlanProducts(createPlans({}), {})],
  prices: {},
  preview_delay_ms: 0,
  reserved_paths: [],
  whyNot: () => null,
});
const options = { public_url: "https://intel.node-of-an-operator.example", service_name: "intel-node", sample: null };

describe("the 402 of every product, on all main networks", () => {
  test.each(products.map((product) => [product.path, product] as const))("%s fits a 4 kB header", (_path, product) => {
    const challenge = renderChallenge(product, { ...options, offers });
    expect(challenge.networks.length).toBeGreaterThan(1);
    expect(challenge.header.length).toBeLessThan(4_096);
    const refusal = refuse("invalid_payment", "invalid_exact_svm_payload_transaction_simulation_failed", "…");
    expect(challenge.refused(refusal, { id: "req_1", protocol: 2 }).header.length).toBeLessThan(4_096);
  });
});

test("offers the payment identifier as the official extension declares it", () => {
  const [product] = products;
  if (!product) throw new Error("no product");
  const { extensions } = JSON.parse(atob(renderChallenge(product, { ...options, offers }).header));
  const declared = declarePaymentIdentifierExtension(false);
  expect(extensions["payment-identifier"]).toEqual(JSON.parse(JSON.stringify(declared)));
  const id = "order-0123456789abcdef";
  const echoed = appendPaymentIdentifierToExtensions(structuredClone(extensions), id);
  const payload = { x402Version: 2, extensions: echoed } as unknown as Parameters<typeof extractPaymentIdentifier>[0];
  expect(extractPaymentIdentifier(payload)).toBe(id);
});
