import type { Catalog } from "../catalog/catalog.ts";
import { renderPlan } from "../catalog/plans.ts";
import { renderTime } from "../core/clock.ts";
import { USDC_DECIMALS } from "../core/money.ts";

export interface PricingOptions {
  readonly catalog: Catalog;
  readonly node_id: string;
  readonly sandbox: boolean;
  readonly now_ms: number;
  readonly networks: readonly { readonly network: string; readonly asset: string; readonly pay_to: string }[];
  readonly free_paths: readonly string[];
  readonly rate_limits: Readonly<Record<string, unknown>>;
}

/** The whole price list, straight from the catalog. */
export function renderPricing(options: PricingOptions): Record<string, unknown> {
  return {
    node_id: options.node_id,
    generated_at: renderTime(options.now_ms),
    ...(options.sandbox ? { sandbox: true } : {}),
    currency: "USD",
    asset_decimals: USDC_DECIMALS,
    networks: options.networks,
    products: options.catalog.products.map((product) => ({
      path: product.path,
      method: product.methods[0],
      product: product.id,
      title: product.definition.title,
      description: product.definition.description,
      price_usd: product.price_usd,
      price_atomic: product.price_atomic.toString(),
      parameters: Object.keys(product.definition.params.properties),
      preview: { available: true, delay_s: product.preview_delay_ms / 1000 },
      category: product.definition.category,
    })),
    plans: options.catalog.products.flatMap(({ path, price_usd, price_atomic, definition }) =>
      definition.plan
        ? [{ path, ...renderPlan(definition.plan, price_usd), price_atomic: price_atomic.toString() }]
        : [],
    ),
    free: options.free_paths,
    rate_limits: options.rate_limits,
    authoritative: "the 402 answer",
  };
}
