import type { Catalog } from "../catalog/catalog.ts";
import { renderTime } from "../core/clock.ts";
import { renderUSD } from "../core/money.ts";
import { isEligible, type WelcomeTerms } from "../payments/coupons/coupon-access.ts";
import type { CouponCodes } from "../payments/coupons/coupon-codes.ts";
import type { FreeRoute } from "./free-route.ts";

import type { Responder } from "./respond.ts";

export interface WelcomeOptions {
  readonly responder: Responder;
  readonly catalog: Catalog;
  readonly codes: CouponCodes;
  readonly terms: WelcomeTerms;
  readonly now_ms: () => number;
  readonly public_url: string;
  readonly stamp: () => Record<string, unknown>;
}

/** `GET /welcome`: a coupon for one free call. Costs the node nothing until it is redeemed. */
export function createWelcomeRoute(options: WelcomeOptions): FreeRoute {
  const { responder, catalog, codes, terms, public_url } = options;
  const headers = responder.headers({ "Cache-Control": "no-store" });
  return {
    path: "/welcome",
    methods: ["GET"],
    handler: ({ request, request_id, client }) => {
      const expires_at_ms = options.now_ms() + terms.ttl_ms;
      const eligible = catalog.products.filter((product) => isEligible(product, terms)).map(({ path }) => path);
      const coupon = terms.enabled && eligible.length > 0 ? codes.mint(client, expires_at_ms) : null;
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
