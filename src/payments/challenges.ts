import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import type { Openings } from "../catalog/openings.ts";
import type { Previews } from "../catalog/previews.ts";
import type { Clock } from "../core/clock.ts";
import { createLRU } from "../core/lru.ts";
import { type Challenge, type ChallengeOptions, renderChallenge } from "./challenge.ts";
import type { ExtensionContent } from "./extensions/extension.ts";
import type { FacilitatorPool } from "./facilitators/pool.ts";
import type { MppIssuer } from "./mpp/issue.ts";
import type { Requirement } from "./types.ts";

/** The 402 of every product: rendered with the first call that needs it, ready to be sent from then on. */
export interface Challenges {
  /** Of a product at the price that applies. */
  get(product: CatalogProduct): Challenge;
  /** Forgets what was rendered: all of it when networks or prices change, of one product when its sample does. */
  refresh(path?: string): void;
}

export interface ChallengesOptions {
  readonly catalog: Catalog;
  readonly previews: Previews;
  readonly openings: Openings;
  readonly pool: FacilitatorPool;
  readonly public_url: string;
  readonly service_name: string;
  /** Networks the operator does not offer to clients of a version. */
  readonly off: NonNullable<ChallengeOptions["off"]>;
  /** Gives challenges of MPP out. */
  readonly mpp?: MppIssuer | undefined;
  /** Set where the operator wants offers signed. */
  readonly signed_offers?: SignedOffers | undefined;
}

/** How offers are signed, and for how long. */
export interface SignedOffers {
  readonly clock: Clock;
  readonly sign: (url: string, accepts: readonly Requirement[], valid_until_s: number) => ExtensionContent;
}

/** How long a signed offer holds, and how much of that is left at least when a buyer gets it. */
const OFFER_MS = { valid: 3_600_000, left: 1_800_000 } as const;

/** Prices that follow from a call's parameters are as many as buyers like: so many challenges of them are kept. */
const PRICED_MAX = 500;

interface KeptChallenge {
  readonly challenge: Challenge;
  readonly valid_until_ms: number;
}

export function createChallenges(options: ChallengesOptions): Challenges {
  const { catalog, previews, openings, pool, public_url, service_name } = options;
  const { signed_offers } = options;
  const kept = new Map<string, KeptChallenge>();
  const kept_priced = createLRU<KeptChallenge>(PRICED_MAX);
  const storeOf = ({ definition, tier }: CatalogProduct) =>
    definition.priced !== undefined && tier !== undefined ? kept_priced : kept;
  let plan = findPlan(catalog);
  const render = (product: CatalogProduct): Challenge => {
    const sample = previews.find(product, product.previewRequests()[0]);
    const valid_until_ms = signed_offers ? signed_offers.clock.now() + OFFER_MS.valid : Number.POSITIVE_INFINITY;
    const challenge = renderChallenge(product, {
      public_url,
      service_name,
      off: options.off,
      mpp: options.mpp,
      offers: pool.offers,
      sample,
      listed: previews.findListed(product),
      opens_ms: openings.get(product.path),
      prepay_url: plan ? `${public_url}${plan.path}` : null,
      signOffers:
        signed_offers && ((url, accepts) => signed_offers.sign(url, accepts, Math.floor(valid_until_ms / 1000))),
    });
    storeOf(product).set(product.tier ?? product.path, { challenge, valid_until_ms });
    return challenge;
  };
  const refresh = (path?: string) => {
    const product = path === undefined ? undefined : catalog.get(path);
    if (!product) {
      plan = findPlan(catalog);
      kept_priced.clear();
      return kept.clear();
    }
    if (product.definition.priced) kept_priced.clear();
    for (const { tier } of [product, ...product.tiers.values()]) kept.delete(tier ?? product.path);
  };
  /** A clock set back must not make an old offer a long one: what is valid for too long is signed anew as well. */
  const isFresh = (valid_until_ms: number, { clock }: SignedOffers): boolean => {
    const left_ms = valid_until_ms - clock.now();
    return left_ms >= OFFER_MS.left && left_ms <= OFFER_MS.valid;
  };
  return {
    refresh,
    get(product) {
      const known = storeOf(product).get(product.tier ?? product.path);
      if (!known) return render(product);
      return signed_offers && !isFresh(known.valid_until_ms, signed_offers) ? render(product) : known.challenge;
    },
  };
}

/** What a buyer who does not want to sign every call buys first: the cheapest balance, else the cheapest pass. */
function findPlan({ products }: Catalog): CatalogProduct | undefined {
  const plans = products
    .filter(({ definition }) => definition.plan)
    .sort((a, b) => Number(a.price_atomic - b.price_atomic));
  return plans.find(({ definition }) => definition.plan?.credit_usd) ?? plans[0];
}
