import { isDeepStrictEqual } from "node:util";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { ceilingOf } from "../core/metering.ts";
import { channelRequirement, isSoldByVoucher } from "./channels/terms.ts";
import { readMember } from "./codec.ts";
import { MAX_TIMEOUT_S } from "./pricing/quote-time.ts";
import { refuse } from "./refusal.ts";
import type { IncomingPayment, Offer, Requirement } from "./types.ts";
import { listUpto } from "./upto/terms.ts";

/** By the offers they were made of, then by product. */
const made = new WeakMap<readonly Offer[], WeakMap<CatalogProduct, readonly Requirement[]>>();

/**
 * The product's `accepts[]`: one requirement per offered network, all over the same amount. The same objects for as
 * long as product and offers are: a payment takes one of them along, and its text is written once.
 */
export function createRequirements(product: CatalogProduct, offers: readonly Offer[]): readonly Requirement[] {
  const by_product = made.get(offers) ?? new WeakMap<CatalogProduct, readonly Requirement[]>();
  made.set(offers, by_product);
  const known = by_product.get(product);
  if (known) return known;
  const requirements = makeRequirements(product, offers);
  by_product.set(product, requirements);
  return requirements;
}

const makeRequirements = (product: CatalogProduct, offers: readonly Offer[]): readonly Requirement[] =>
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

/** As above, with what charges less than was signed and the channels that are offered: what a 402 shows. */
export const createAccepts = (product: CatalogProduct, offers: readonly Offer[]): readonly Requirement[] => [
  ...createRequirements(product, offers),
  ...listUpto(product, offers),
  ...offers.flatMap((offer) =>
    offer.channel && isSoldByVoucher(product, offer)
      ? [channelRequirement(offer, offer.channel, ceilingOf(product))]
      : [],
  ),
];

/** As buyers are shown them: with the network's id in the spelling of the facilitator that will settle. */
export const asAdvertised = (requirement: Requirement, offers: readonly Offer[]): Requirement => {
  const spelling = offers.find(({ network }) => network.id === requirement.network)?.advertised_id;
  return spelling === undefined ? requirement : { ...requirement, network: spelling };
};

/** The v2 resource object of a product; the catalog limits its texts. */
export const createResource = (product: CatalogProduct, public_url: string, service_name: string) => ({
  url: `${public_url}${product.path}`,
  description: product.definition.description,
  mimeType: "application/json",
  serviceName: service_name,
  tags: [...product.definition.tags],
  ...(isNamedHost(public_url) ? { iconUrl: `${public_url}/icon.png` } : {}),
});

/** Official clients drop an icon whose host is an address: nobody else could fetch it. */
function isNamedHost(public_url: string): boolean {
  const { hostname } = new URL(public_url);
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return false;
  return !hostname.startsWith("[") && !/^[0-9.]+$/.test(hostname);
}

/** The requirement as the buyer took it: it names the account of a facilitator that he signed for. */
export const withFeePayer = (requirement: Requirement, fee_payer: string | null): Requirement =>
  fee_payer === null ? requirement : { ...requirement, extra: { ...requirement.extra, feePayer: fee_payer } };

/** Hexadecimal addresses are written in either case; those of other chains are not. */
const isSameText = (a: unknown, b: string): boolean =>
  typeof a === "string" && (a === b || (b.startsWith("0x") && a.toLowerCase() === b.toLowerCase()));

/**
 * Finds the requirement a payment was made for. Compares what the buyer says he accepted with our own; the signed
 * content is checked by the network family afterwards.
 * @param requirements for one payment each: of two on one network the schemes differ.
 * @param fee_payers of the offer it belongs to: any of them may replace the one we named.
 * @throws PaymentRefusal invalid_payment or amount_mismatch
 */
export function matchRequirement(
  payment: IncomingPayment,
  requirements: readonly Requirement[],
  fee_payers: readonly string[],
): Requirement {
  const { scheme } = payment;
  const of_scheme = requirements.filter((one) => one.scheme === scheme);
  // What less is taken of is version 2: it says which facilitator was meant.
  if (scheme !== "exact" && (of_scheme.length === 0 || !payment.accepted)) {
    const taken = [...new Set(requirements.map((one) => `"${one.scheme}"`))].join(", ");
    throw refuse("invalid_payment", "unsupported_scheme", `Only scheme ${taken || '"exact"'} is taken.`);
  }
  const offered = of_scheme.map((requirement) => requirement.network).join(", ");
  const requirement = of_scheme.find((one) => one.network === payment.network);
  if (!requirement) throw refuse("invalid_payment", "invalid_network", `Offered networks: ${offered}.`);
  const { accepted } = payment;
  if (!accepted) return requirement;
  if (!isSameText(accepted.asset, requirement.asset)) {
    throw refuse("invalid_payment", "asset_mismatch", `The asset must be ${requirement.asset}.`);
  }
  if (!isSameText(accepted.payTo, requirement.payTo)) {
    throw refuse("invalid_payment", "recipient_mismatch", "payTo is not this node's address: fetch a fresh 402.");
  }
  if (accepted.amount !== requirement.amount) {
    throw refuse("amount_mismatch", "amount_mismatch", `The price is ${requirement.amount}: fetch a fresh 402.`);
  }
  checkExtra(requirement, accepted.extra, fee_payers);
  return requirement;
}

/** Accounts of facilitators, any of which may replace the one we named. */
const isOneOf = (name: string, theirs: unknown, accounts: readonly string[]): boolean =>
  (name === "feePayer" || name === "facilitatorAddress") && accounts.some((account) => isSameText(theirs, account));

/** All of our members have to be there. Others are the buyer's business, and go nowhere. */
function checkExtra(requirement: Requirement, extra: unknown, fee_payers: readonly string[]): void {
  for (const [name, ours] of Object.entries(requirement.extra)) {
    const theirs = readMember(extra, name);
    const same = isDeepStrictEqual(theirs ?? null, ours ?? null);
    if (same || isOneOf(name, theirs, fee_payers)) continue;
    const hint = `accepted.extra.${name} is not what the 402 says: fetch a fresh one and send its entry unchanged.`;
    throw refuse("invalid_payment", "extra_mismatch", hint);
  }
}
