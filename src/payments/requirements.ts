import type { CatalogProduct } from "../catalog/catalog.ts";
import { refuse } from "./refusal.ts";
import type { IncomingPayment, Offer, Requirement } from "./types.ts";

/** Seconds a buyer has to complete a payment: the same in every requirement. */
export const MAX_TIMEOUT_S = 300;

/** The product's `accepts[]`: one requirement per offered network, all over the same amount. */
export const createRequirements = (product: CatalogProduct, offers: readonly Offer[]): readonly Requirement[] =>
  offers
    .filter((offer) => product.definition.deadline_ms <= offer.network.produce_ms_max)
    .map((offer) => ({
      scheme: "exact",
      network: offer.network.id,
      amount: product.price_atomic.toString(),
      asset: offer.network.asset,
      payTo: offer.pay_to,
      maxTimeoutSeconds: MAX_TIMEOUT_S,
      extra: offer.extra,
    }));

/** The v2 resource object of a product; `description` is limited by the catalog. */
export const createResource = (product: CatalogProduct, public_url: string, service_name: string) => ({
  url: `${public_url}${product.path}`,
  description: product.definition.description,
  mimeType: "application/json",
  serviceName: service_name,
  tags: [...product.definition.tags],
});

const sameText = (a: unknown, b: string): boolean => typeof a === "string" && a.toLowerCase() === b.toLowerCase();

/**
 * Finds the requirement a payment was made for. Compares what the buyer says he accepted with our own; the signed
 * content is checked by the network family afterwards.
 * @throws PaymentRefusal invalid_payment or amount_mismatch
 */
export function matchRequirement(payment: IncomingPayment, requirements: readonly Requirement[]): Requirement {
  const offered = requirements.map((requirement) => requirement.network).join(", ");
  const requirement = requirements.find((one) => one.network === payment.network);
  if (payment.scheme !== "exact")
    throw refuse("invalid_payment", "unsupported_scheme", 'Only scheme "exact" is taken.');
  if (!requirement) throw refuse("invalid_payment", "invalid_network", `Offered networks: ${offered}.`);
  const { accepted } = payment;
  if (!accepted) return requirement;
  if (!sameText(accepted.asset, requirement.asset)) {
    throw refuse("invalid_payment", "asset_mismatch", `The asset must be ${requirement.asset}.`);
  }
  if (!sameText(accepted.payTo, requirement.payTo)) {
    throw refuse("invalid_payment", "recipient_mismatch", "payTo is not this node's address: fetch a fresh 402.");
  }
  if (accepted.amount !== requirement.amount) {
    throw refuse("amount_mismatch", "amount_mismatch", `The price is ${requirement.amount}: fetch a fresh 402.`);
  }
  return requirement;
}
