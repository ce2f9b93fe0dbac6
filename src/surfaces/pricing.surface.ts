import { renderPlan } from "../catalog/plans.ts";
import { renderTime } from "../core/clock.ts";
import { USDC_DECIMALS } from "../core/money.ts";
import { defineSurface, json, type SurfaceModel } from "./types.ts";

/** The whole price list, straight from the catalog. */
const renderPricing = ({ node, sandbox, now_ms, networks, products, free, rate_limits }: SurfaceModel) => ({
  node_id: node.node_id,
  generated_at: renderTime(now_ms),
  ...(sandbox ? { sandbox: true } : {}),
  currency: "USD",
  asset_decimals: USDC_DECIMALS,
  networks: networks.map(({ network, asset, pay_to }) => ({ network, asset, pay_to })),
  products: products.map((product) => ({
    path: product.path,
    method: product.method,
    methods: product.methods,
    product: product.id,
    title: product.title,
    description: product.description,
    price_usd: product.price_usd,
    price_atomic: product.price_atomic,
    ...(product.tiers?.length ? { tiers: product.tiers } : {}),
    ...(product.metering ? { metered: product.metering } : {}),
    ...(product.priced_by === undefined ? {} : { price: "from", priced_by: product.priced_by }),
    parameters: Object.keys(product.params.properties),
    preview: { available: true, delay_s: product.preview_delay_s },
    max_age_s: product.max_age_s,
    available_from: product.available_from,
    category: product.category,
  })),
  plans: products.flatMap(({ path, price_usd, price_atomic, plan }) =>
    plan ? [{ path, ...renderPlan(plan, price_usd), price_atomic }] : [],
  ),
  free: free.filter(({ asks }) => asks !== true).map(({ path }) => path),
  rate_limits,
  authoritative: "the 402 answer",
});

export const surface = defineSurface({
  path: "/get-pricing",
  summary: "Every price as JSON",
  content_type: "application/json",
  render: (model) => json(renderPricing(model)),
});
