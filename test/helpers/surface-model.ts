import { Type } from "@sinclair/typebox";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { tellGist } from "../../src/catalog/gist.ts";
import { createPlanProducts, createPlans } from "../../src/catalog/plans.ts";
import type { LoadedPlugin } from "../../src/catalog/plugin.ts";
import { type AnyProduct, defineProduct } from "../../src/catalog/product.ts";
import { formatsOf } from "../../src/catalog/view.ts";
import { renderChallenge } from "../../src/payments/challenge.ts";
import { NETWORKS } from "../../src/payments/networks/table.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { FREE_ENDPOINTS } from "../../src/surfaces/free-endpoints.ts";
import { surfaces } from "../../src/surfaces/surfaces.gen.ts";
import type { FreeEndpoint, SurfaceModel, SurfaceProduct } from "../../src/surfaces/types.ts";

export interface ModelOptions {
  /** Built-in products of this plugin alone, for documents that nothing has to be cut from. */
  readonly of?: string;
  /** Further products. */
  readonly products?: readonly AnyProduct[];
  /** So many products in all, made of the built-in ones under other paths and with other words. */
  readonly count?: number;
  readonly node?: Partial<SurfaceModel["node"]>;
  readonly sandbox?: boolean;
  readonly networks?: readonly ("base" | "solana" | "algorand")[];
  readonly origin_signatures?: readonly string[];
}

const PUBLIC_URL = "https://node.example.com";
export const MODEL_TIME_MS = Date.UTC(2026, 10, 20);

/** What a public node with the built-in catalog renders its documents from. */
export function createTestModel(options: ModelOptions = {}): SurfaceModel {
  const sold = [...listProducts(options.of), ...(options.products ?? [])];
  const catalog = createCatalog({
    plugins: [asPlugin(sold)],
    prices: {},
    preview_delay_ms: 900_000,
    reserved_paths: [],
    whyNot: () => null,
  });
  const wanted = options.networks ?? ["base", "solana", "algorand"];
  const networks = NETWORKS.filter(({ testnet, wallet }) => !testnet && wanted.includes(wallet));
  const offers = networks.map((network) => ({
    network,
    pay_to: `pay-to-${network.wallet}`,
    extra: {},
    facilitators: ["test"],
    fee_payers: [],
  }));
  const service_name = options.node?.name ?? "intel-node";
  const real = catalog.products.map((product): SurfaceProduct => {
    const { definition, methods, path } = product;
    const challenge = renderChallenge(product, { public_url: PUBLIC_URL, service_name, offers, sample: null });
    return {
      ...definition,
      gist: tellGist(definition, definition.example),
      tiers: [],
      id: product.id,
      skill_id: product.id.replaceAll(/[/-]/g, "_"),
      url: `${PUBLIC_URL}${path}`,
      methods,
      method: methods[0] ?? "GET",
      price_usd: product.price_usd,
      price_atomic: product.price_atomic.toString(),
      preview_delay_s: product.preview_delay_ms / 1000,
      previews_of: [product.previewRequests()[0].params],
      ttl_s: product.ttl_ms / 1000,
      max_age_s: product.max_age_ms === null ? null : product.max_age_ms / 1000,
      available_from: null,
      plan: definition.plan ?? null,
      has_markdown: formatsOf(definition.data).includes("md"),
      challenge: challenge.payment_required,
      mpp: offers.flatMap(({ network: { wallet, asset } }) =>
        wallet === "base"
          ? [{ method: "evm", intent: "charge", amount: product.price_atomic.toString(), currency: asset }]
          : [],
      ),
    };
  });
  const products = options.count === undefined ? real : repeat(real, options.count);
  const model: SurfaceModel = {
    node: {
      name: "intel-node",
      brand: "intel",
      version: "0.1.0",
      public_url: PUBLIC_URL,
      node_id: "in17Uhoi7PPzLUax2JtMkKRop",
      public_key: "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w",
      key_name: "node-1",
      retired_keys: [],
      contact_email: "ops@node.example.com",
      security_contact: null,
      sign: () => "signature",
      ...options.node,
    },
    sandbox: options.sandbox ?? false,
    settled: true,
    now_ms: MODEL_TIME_MS,
    products,
    networks: offers.map(({ network, pay_to }) => ({
      network: network.id,
      title: network.title,
      wallet: network.wallet,
      asset: network.asset,
      pay_to,
    })),
    facilitator_url: null,
    free: [],
    wallets: [],
    origin_signatures: options.origin_signatures ?? [],
    rate_limits: {},
    changedAt: () => MODEL_TIME_MS / 1000,
  };
  return { ...model, free: listFree(model) };
}

const listFree = (model: SurfaceModel): readonly FreeEndpoint[] => [
  ...surfaces
    .filter((surface) => surface.isServed?.(model) !== false)
    .map(({ path, summary, content_type }): FreeEndpoint => ({ path, methods: ["GET"], summary, content_type })),
  ...FREE_ENDPOINTS,
];

const listProducts = (of?: string): readonly AnyProduct[] =>
  [...registry.filter(({ id }) => of === undefined || id === of), createPlanProducts(createPlans({}), {})].flatMap(
    (plugin) => plugin.products.map(({ product }) => product),
  );

const asPlugin = (products: readonly AnyProduct[]): LoadedPlugin => ({
  id: "test",
  title: "Test",
  file: "test",
  origin: "built-in",
  products: products.map((product) => ({ file: product.path, product })),
  jobs: [],
  simulators: [],
});

/** Copies say the same in other words, so that they do not pack better than real products would. */
function repeat(products: readonly SurfaceProduct[], count: number): readonly SurfaceProduct[] {
  const calls = products.filter(({ plan }) => plan === null);
  const copies = Array.from({ length: count - products.length }, (_, index): SurfaceProduct => {
    const original = calls[index % calls.length] as SurfaceProduct;
    const reword = (text: string) =>
      text
        .split(" ")
        .map((word, at) => (at % 3 === index % 3 ? `${word}${index}` : word))
        .join(" ");
    const data = JSON.parse(JSON.stringify(original.data), (key, value) =>
      key === "description" && typeof value === "string" ? reword(value) : value,
    );
    const path = `${original.path}-${index}`;
    return {
      ...original,
      id: path.slice(1),
      skill_id: `${original.skill_id}_${index}`,
      path,
      url: `${PUBLIC_URL}${path}`,
      description: reword(original.description).slice(0, 450),
      data,
    };
  });
  return [...products, ...copies].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A product that takes both methods and needs a parameter. */
export const postProduct = defineProduct({
  path: "/ask-me",
  methods: ["POST", "GET"],
  title: "A question",
  description: "A product of the tests.",
  category: "test",
  tags: ["test"],
  price_usd: "0.02",
  params: Type.Object(
    {
      text: Type.String({ minLength: 1, description: "What is asked." }),
      mode: Type.Optional(Type.Union([Type.Literal("short"), Type.Literal("long")], { default: "short" })),
      days: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(7)])),
      limit: Type.Optional(
        Type.Union([Type.Integer({ exclusiveMinimum: 0 }), Type.Null()], { description: "At most." }),
      ),
    },
    { additionalProperties: false },
  ),
  data: Type.Object({ answer: Type.String({ description: "What is known." }) }),
  example: { params: { text: "why" }, as_of: "2026-01-01T00:00:00Z", data: { answer: "so" } },
  providers: [],
  requires: [],
  ttl: "0s",
  deadline_ms: 5_000,
  preview: { every: "24h" },
  fetch: async () => 1,
  compute: (_, { now_ms }) => ({ as_of_ms: now_ms, data: { answer: "so" }, warnings: [] }),
});
