import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import type { Previews } from "../catalog/previews.ts";
import { type Challenge, renderChallenge } from "./challenge.ts";
import type { FacilitatorPool } from "./facilitators/pool.ts";

/** The 402 of every product, ready to be sent. */
export interface Challenges {
  get(product: CatalogProduct): Challenge;
  /** Renders again: all of them when networks or prices change, one when its sample does. */
  refresh(path?: string): void;
}

export interface ChallengesOptions {
  readonly catalog: Catalog;
  readonly previews: Previews;
  readonly pool: FacilitatorPool;
  readonly public_url: string;
  readonly service_name: string;
}

export function createChallenges(options: ChallengesOptions): Challenges {
  const { catalog, previews, pool, public_url, service_name } = options;
  const kept = new Map<string, Challenge>();
  const plan = findPlan(catalog);
  const prepay_url = plan ? `${public_url}${plan.path}` : null;
  const render = (product: CatalogProduct): Challenge => {
    const sample = previews.find(product, product.params.defaults);
    const challenge = renderChallenge(product, {
      public_url,
      service_name,
      offers: pool.offers,
      sample,
      prepay_url,
    });
    kept.set(product.path, challenge);
    return challenge;
  };
  const refresh = (path?: string) => {
    for (const product of catalog.products) if (path === undefined || path === product.path) render(product);
  };
  refresh();
  return { get: (product) => kept.get(product.path) ?? render(product), refresh };
}

/** What a buyer who does not want to sign every call buys first: the cheapest balance, else the cheapest pass. */
function findPlan({ products }: Catalog): CatalogProduct | undefined {
  const plans = products
    .filter(({ definition }) => definition.plan)
    .sort((a, b) => Number(a.price_atomic - b.price_atomic));
  return plans.find(({ definition }) => definition.plan?.credit_usd) ?? plans[0];
}
