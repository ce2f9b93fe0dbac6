import type { CatalogProduct } from "../catalog/catalog.ts";
import { parseUSD } from "../core/money.ts";
import type { HTTPCall } from "./http-call.ts";
import { createProductHandler, type ProductRouteOptions } from "./product-routes.ts";

/** Sells prepaid keys to who brings none: as a call of a plan's own path, so by the one gate. */
export interface PurseShop {
  /** The cheapest plan whose credit is at least so much; null if there is no such plan. */
  find(least: bigint): PurseOffer | null;
  /** The plan's answer with the key in it, its 402, or why the payment was not taken. */
  buy(http_call: HTTPCall, purse: PurseOffer): Promise<Response>;
}

export interface PurseOffer {
  readonly product: CatalogProduct;
  /** Atomic USDC. */
  readonly credit: bigint;
}

interface PurseShopOptions {
  readonly products: () => readonly CatalogProduct[];
  readonly public_url: string;
  readonly route: ProductRouteOptions;
}

export function createPurseShop({ products, public_url, route }: PurseShopOptions): PurseShop {
  const listPurses = (): readonly PurseOffer[] =>
    products().flatMap((product) => {
      const { plan } = product.definition;
      if (!plan || plan.pass || plan.credit_usd === null) return [];
      return [{ product, credit: parseUSD(plan.credit_usd) }];
    });
  return {
    find(least) {
      const enough = listPurses().filter(({ credit }) => credit >= least);
      const cheapest = (a: PurseOffer, b: PurseOffer): number =>
        a.product.price_atomic < b.product.price_atomic ? -1 : 1;
      return enough.toSorted(cheapest)[0] ?? null;
    },
    async buy(http_call, { product }) {
      const { headers, signal } = http_call.request;
      const request = new Request(`${public_url}${product.path}`, { headers, signal });
      // The answer is read here, so it is never a page.
      request.headers.set("accept", "application/json");
      request.headers.delete("content-type");
      const handler = createProductHandler(product, { ...route, page: null });
      return handler({ ...http_call, request, search: "" });
    },
  };
}
