import type { Catalog } from "../catalog/catalog.ts";
import { renderTime } from "../core/clock.ts";
import { renderUSD } from "../core/money.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { explainNoCoupon, isEligible, type WelcomeTerms } from "../payments/coupons/coupon-access.ts";
import type { CouponCodes } from "../payments/coupons/coupon-codes.ts";
import type { FreeRoute } from "./free-route.ts";

import type { Responder } from "./respond.ts";

export interface WelcomeOptions {
  readonly responder: Responder;
  readonly catalog: Catalog;
  readonly ledger: Pick<Ledger, "coupons">;
  readonly codes: CouponCodes;
  readonly terms: WelcomeTerms;
  readonly now_ms: () => number;
  readonly public_url: string;
  readonly stamp: () => Record<string, unknown>;
  /** How many jobs a start still owes. */
  readonly coming: () => number;
}

/** `GET /welcome`: a coupon for one free call. Costs the node nothing until it is redeemed. */
export function createWelcomeRoute(options: WelcomeOptions): FreeRoute {
  const { responder, catalog, codes, terms, public_url } = options;
  const headers = responder.headers({ "Cache-Control": "no-store" });
  return {
    path: "/welcome",
    methods: ["GET"],
    handler: async ({ request, request_id, client }) => {
      const expires_at_ms = options.now_ms() + terms.ttl_ms;
      const eligible = catalog.products.filter((product) => isEligible(product, terms)).map(({ path }) => path);
      const minted = terms.enabled && eligible.length > 0 ? codes.mint(client, expires_at_ms) : null;
      const given_to = minted === null ? null : codes.read(minted);
      // One that would be refused is not handed out.
      const why =
        given_to &&
        (await explainNoCoupon(options.ledger, terms, { client: given_to.client, now_ms: options.now_ms() }));
      const coupon = why ? null : minted;
      const coming = options.coming();
      const example = coupon === null ? null : `curl -H 'X-Coupon: ${coupon}' ${public_url}${eligible[0]}`;
      const body = {
        ...options.stamp(),
        coupon,
        header: "X-Coupon",
        uses: 1,
        max_price_usd: renderUSD(terms.max_price),
        expires_at: coupon === null ? null : renderTime(expires_at_ms),
        eligible,
        example,
        ...(coming > 0 ? { coming: { jobs: coming, see: `${public_url}/readyz?verbose` } } : {}),
        ...(why ? { reason: why.reason, hint: why.hint } : {}),
        terms:
          "One free call per network in 24 hours, as long as the node's daily budget lasts. A call that fails does " +
          "not use the coupon up.",
      };
      const response = new Response(request.method === "HEAD" ? null : JSON.stringify(body), { headers });
      response.headers.set("X-Request-Id", request_id);
      return response;
    },
  };
}
