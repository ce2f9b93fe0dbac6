import type { NodeIdentity } from "../core/identity.ts";
import { nodeKeyId } from "./did.ts";
import { createJWSSigner } from "./jws.ts";

/** The terms of one payment in a 402. */
export interface OfferedTerms {
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: string;
}

/** `extensions["offer-receipt"]` of a 402. */
export interface OffersExtension {
  readonly info: {
    readonly offers: readonly { readonly format: "jws"; readonly acceptIndex: number; readonly signature: string }[];
  };
  readonly schema: Readonly<Record<string, unknown>>;
}

/**
 * Signs every entry of a 402's `accepts`.
 * @param resource_url of the product.
 * @param valid_until Unix seconds, because no offer is valid for ever.
 */
export type SignOffers = (
  resource_url: string,
  accepts: readonly OfferedTerms[],
  valid_until: number,
) => OffersExtension;

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["offers"],
  properties: {
    offers: {
      type: "array",
      items: {
        type: "object",
        required: ["format", "signature"],
        properties: {
          format: { type: "string" },
          acceptIndex: { type: "integer" },
          signature: { type: "string" },
        },
      },
    },
  },
};

/** Signed offers of the x402 extension `offer-receipt`, with which a buyer can later prove the offered price. */
export function createOfferSigner(
  identity: Pick<NodeIdentity, "sign" | "key_name">,
  { public_url }: { readonly public_url: string },
): SignOffers {
  const sign = createJWSSigner(identity, nodeKeyId(public_url, identity.key_name));
  return (resourceUrl, accepts, validUntil) => ({
    info: {
      offers: accepts.map(({ scheme, network, asset, payTo, amount }, acceptIndex) => ({
        format: "jws" as const,
        acceptIndex,
        signature: sign({ version: 1, resourceUrl, scheme, network, asset, payTo, amount, validUntil }),
      })),
    },
    schema: SCHEMA,
  });
}
