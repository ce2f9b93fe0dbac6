import type { CatalogProduct } from "../../catalog/catalog.ts";
import { ceilingOf } from "../../core/metering.ts";
import { MAX_TIMEOUT_S } from "../pricing/quote-time.ts";
import type { Offer, Requirement, UptoOffer } from "../types.ts";
import { UPTO, UPTO_WAY } from "./contract.ts";

/** The `accepts[]` entry over at most an amount. */
export const uptoRequirement = (
  { network, pay_to }: Pick<Offer, "network" | "pay_to">,
  { facilitator_address }: Pick<UptoOffer, "facilitator_address">,
  amount: bigint,
): Requirement => ({
  scheme: UPTO,
  network: network.id,
  amount: amount.toString(),
  asset: network.asset,
  payTo: pay_to,
  maxTimeoutSeconds: MAX_TIMEOUT_S,
  extra: {
    name: network.eip712?.name,
    version: network.eip712?.version,
    assetTransferMethod: "permit2",
    facilitatorAddress: facilitator_address,
  },
});

/** What a metered product may be paid by, where a facilitator takes less than what was signed. */
export const listUpto = (product: CatalogProduct, offers: readonly Offer[]): readonly Requirement[] =>
  offers.flatMap((offer) =>
    offer.upto !== undefined &&
    product.metering !== null &&
    product.definition.deadline_ms <= offer.network.produce_ms_max
      ? [uptoRequirement(offer, offer.upto, ceilingOf(product))]
      : [],
  );

/** Ways to pay that are metered for this product, besides those that always are. */
export const listMeteredWays = (product: CatalogProduct, offers: readonly Offer[]): readonly string[] =>
  listUpto(product, offers).length > 0 ? [UPTO_WAY] : [];

/** The requirement with the facilitator that the payer signed for, as its offer spells the address. */
export function withFacilitator(requirement: Requirement, address: string, offer: UptoOffer): Requirement {
  const facilitatorAddress = offer.addresses.find((one) => one.toLowerCase() === address.toLowerCase()) ?? address;
  if (requirement.extra.facilitatorAddress === facilitatorAddress) return requirement;
  return { ...requirement, extra: { ...requirement.extra, facilitatorAddress } };
}
