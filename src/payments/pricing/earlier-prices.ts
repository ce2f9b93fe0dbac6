import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { Clock } from "../../core/clock.ts";
import { MAX_TIMEOUT_S } from "./quote-time.ts";

/** What products cost until a short while ago: who was quoted that price may still pay it. */
export interface EarlierPrices {
  /** Notes the prices that end now. */
  note(before: readonly CatalogProduct[], after: readonly CatalogProduct[]): void;
  /**
   * The product as it was quoted, where this amount was its price until less than `maxTimeoutSeconds` ago; null where
   * it was not. A plan comes with what it granted at that price.
   */
  find(product: CatalogProduct, amount: string): CatalogProduct | null;
  /** Whether any price ended so recently: nothing needs to be looked up while none has. */
  readonly has_any: boolean;
}

interface Ended {
  readonly quoted: Pick<CatalogProduct, "price_atomic" | "price_usd">;
  readonly plan: CatalogProduct["definition"]["plan"];
  readonly until_ms: number;
}

const VALID_MS = MAX_TIMEOUT_S * 1000;
/** Of one product; the oldest go. */
const PRICES_MAX = 20;

const nameOf = ({ tier, path }: CatalogProduct): string => tier ?? path;
const withTiers = (products: readonly CatalogProduct[]): readonly CatalogProduct[] =>
  products.flatMap((product) => [product, ...product.tiers.values()]);

export function createEarlierPrices({ now }: Pick<Clock, "now">): EarlierPrices {
  const by_name = new Map<string, Ended[]>();
  const prune = () => {
    const now_ms = now();
    for (const [name, list] of by_name) {
      // A clock that is set back must not keep a price for ever.
      const kept = list.filter(({ until_ms }) => now_ms < until_ms && until_ms - now_ms <= VALID_MS);
      if (kept.length > 0) by_name.set(name, kept.slice(-PRICES_MAX));
      else by_name.delete(name);
    }
  };
  return {
    note(before, after) {
      const prices = new Map(withTiers(after).map((product) => [nameOf(product), product.price_atomic]));
      const until_ms = now() + VALID_MS;
      for (const product of withTiers(before)) {
        const name = nameOf(product);
        const price = prices.get(name);
        if (price === undefined || price === product.price_atomic) continue;
        const { price_atomic, price_usd, definition } = product;
        const others = (by_name.get(name) ?? []).filter(({ quoted }) => quoted.price_atomic !== price_atomic);
        by_name.set(name, [...others, { quoted: { price_atomic, price_usd }, plan: definition.plan, until_ms }]);
      }
      prune();
    },
    find(product, amount) {
      prune();
      const found = by_name.get(nameOf(product))?.find(({ quoted }) => quoted.price_atomic.toString() === amount);
      if (!found || found.quoted.price_atomic === product.price_atomic) return null;
      const { quoted, plan } = found;
      return { ...product, ...quoted, ...(plan ? { definition: { ...product.definition, plan } } : {}) };
    },
    get has_any() {
      return by_name.size > 0;
    },
  };
}
