import type { TSchema } from "@sinclair/typebox";
import { isNodeError, NodeError } from "../core/errors.ts";
import { createLRU } from "../core/lru.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import type { ParsedParams } from "./parsed-params.ts";
import type { AnyProduct } from "./product.ts";

/** The name a tier's price has in `[prices]`: "/council?depth=deep". */
export const tierKey = (path: string, param: string, value: string): string => `${path}?${param}=${value}`;

/** The part of a product that a price depends on. */
interface Priced<T> {
  readonly path: string;
  readonly definition: Pick<AnyProduct, "tiers" | "priced">;
  readonly price_atomic: bigint;
  readonly price_usd: string;
  readonly tiers: ReadonlyMap<string, T>;
}

/**
 * The product at the price of these parameters: whatever takes money takes it for what this returns, so that challenge,
 * requirement, debit and receipt name one and the same amount.
 */
export function tierOf<T extends Priced<T>>(product: T, { params }: Pick<ParsedParams, "params">): T {
  const { tiers, priced } = product.definition;
  if (priced) {
    const price_atomic = readPrice(product.path, () => priced.price(params));
    return price_atomic === null ? product : atPrice(product, price_atomic);
  }
  return tiers ? (product.tiers.get(String(params[tiers.param])) ?? product) : product;
}

/** @throws NodeError for an invalid price from a plugin: the buyer is not asked to pay it. */
function readPrice(path: string, ask: () => bigint | null): bigint | null {
  try {
    const price: unknown = ask();
    if (price === null || (typeof price === "bigint" && price > 0n)) return price;
    throw new TypeError(`${String(price)} is not a price`);
  } catch (error) {
    if (isNodeError(error)) throw error;
    const message = `${path} cannot be priced because of its own fault. Nothing was charged.`;
    throw new NodeError("product_failed", message, { cause: error });
  }
}

/** Of one product, kept at once. */
const PRICES_MAX = 500;
const at_prices = new WeakMap<object, ReturnType<typeof createLRU<object>>>();

/** The same object for the same price, while it is kept: requirements and challenges are made once for each. */
function atPrice<T extends Priced<T>>(product: T, price_atomic: bigint): T {
  const kept = at_prices.get(product) ?? createLRU<object>(PRICES_MAX);
  at_prices.set(product, kept);
  const name = price_atomic.toString();
  const known = kept.get(name) as T | undefined;
  if (known !== undefined) return known;
  const tier = tierKey(product.path, "price_atomic", name);
  const made = { ...product, tier, price_atomic, price_usd: renderUSD(price_atomic) };
  kept.set(name, made);
  return made;
}

/** A product at each of its other prices, by value. */
export function createTiers<T extends Priced<T>>(
  product: T,
  prices: Readonly<Record<string, string>>,
): ReadonlyMap<string, T> {
  const { tiers } = product.definition;
  const { path } = product;
  return new Map(
    Object.entries(tiers?.prices ?? {}).map(([value, usd]) => {
      const tier = tierKey(path, tiers?.param ?? "", value);
      const price_atomic = parseUSD(prices[tier] ?? usd);
      return [value, { ...product, tier, price_atomic, price_usd: renderUSD(price_atomic) }];
    }),
  );
}

/** What is wrong with the tiers of a definition, in words. */
export function listTierFaults({ tiers, priced, metered, params, plan }: AnyProduct): readonly string[] {
  if (priced && (tiers || plan || metered)) {
    return [`priced: ${plan ? "a plan has one price" : `${tiers ? "tiers say" : "metered says"} other prices, too`}`];
  }
  if (!tiers) return [];
  const values = listValues(params?.properties?.[tiers.param]);
  const faults = Object.entries(tiers.prices).flatMap(([value, usd]) => [
    ...(values.includes(value) ? [] : [`tiers: parameter "${tiers.param}" has no value "${value}"`]),
    ...(isPrice(usd) ? [] : [`tiers: price "${usd}" of "${value}" must be above 0`]),
  ]);
  return plan ? ["a plan has one price: tiers are for data", ...faults] : faults;
}

/** One sentence for every list that shows a description: which values cost something else. */
export function describeTiers<T extends Priced<T>>({ definition: { tiers }, tiers: by_value }: T): string {
  if (!tiers) return "";
  const prices = [...by_value].map(([value, { price_usd }]) => `${tiers.param}=${value} $${price_usd}`);
  return ` Other prices: ${prices.join(", ")}.`;
}

/** Other prices than the usual one, by `name=value`. */
export const listTierPrices = (
  tiers: ReadonlyMap<string, { readonly tier?: string; readonly price_usd: string }>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...tiers.values()].map(({ tier = "", price_usd }) => [tier.slice(tier.indexOf("?") + 1), price_usd]),
  );

/** The same for a line of a list, behind the usual price. */
export const renderTierPrices = (prices: Readonly<Record<string, string>>): string =>
  Object.entries(prices)
    .map(([value, usd]) => `, ${value} ${usd}`)
    .join("");

/** The values of a closed list, as texts. */
export const listValues = (schema: TSchema | undefined): readonly string[] => {
  if (Array.isArray(schema?.anyOf)) return schema.anyOf.flatMap(listValues);
  return schema?.const === undefined ? [] : [String(schema.const)];
};

function isPrice(usd: string): boolean {
  try {
    return parseUSD(usd) > 0n;
  } catch {
    return false;
  }
}
