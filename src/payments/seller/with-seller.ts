import type { FacilitatorPool } from "../facilitators/pool.ts";
import type { Offer } from "../types.ts";
import type { SellerWatch } from "./seller-watch.ts";

/** Why a facilitator's refusal is passed on as no word at all: the buyer can do nothing about it. */
const OUR_FAULT = "the seller's address cannot receive";

/**
 * A pool that offers no network on which we cannot be paid, and that does not blame the buyer when a facilitator finds
 * out before we do.
 */
export function withSeller(pool: FacilitatorPool, seller: SellerWatch): FacilitatorPool {
  const listeners: (() => void)[] = [];
  let offers: readonly Offer[] = [];
  const refresh = (): void => {
    offers = pool.offers.filter(({ network }) => seller.whyNot(network.id) === null);
    for (const listener of listeners) listener();
  };
  refresh();
  pool.onChange(refresh);
  seller.onChange(refresh);

  return {
    get offers() {
      return offers;
    },
    unavailable: () => [
      ...pool.unavailable(),
      ...pool.offers.flatMap(({ network: { id } }) => {
        const why = seller.whyNot(id);
        return why === null ? [] : [{ network: id, why }];
      }),
    ],
    listedInstead: pool.listedInstead,
    onChange: (listener) => listeners.push(listener),
    async verify(network, payment) {
      const result = await pool.verify(network, payment);
      const { outcome } = result;
      const { requirement } = payment;
      if (outcome.kind !== "invalid" || !(await seller.isOurFault({ ...outcome, requirement }))) return result;
      return { outcome: { kind: "unavailable", cause: `${OUR_FAULT} (${outcome.reason})` }, facilitator: null };
    },
    async settle(first, payment) {
      const result = await pool.settle(first, payment);
      const { outcome, facilitator } = result;
      const { requirement } = payment;
      if (outcome.kind === "unknown") {
        // It stays open all the same, but the next buyer need not find out.
        void seller.isOurFault({ ...outcome, reason: outcome.cause, requirement });
        return result;
      }
      // What names a transaction got as far as the chain, and is judged by it.
      if (outcome.kind !== "refused" || outcome.transaction !== "") return result;
      if (!(await seller.isOurFault({ ...outcome, requirement }))) return result;
      return { outcome: { kind: "unseen", cause: `${OUR_FAULT} (${outcome.reason})` }, facilitator };
    },
    claimsMax: pool.claimsMax,
    status: pool.status,
    refresh: pool.refresh,
    stop: pool.stop,
  };
}
