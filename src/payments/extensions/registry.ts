import type { CatalogProduct } from "../../catalog/catalog.ts";
import { apiKeyExtension } from "./api-key.ts";
import { bazaarExtension } from "./bazaar.ts";
import type { ChallengeExtension, ChallengeSubject, ExtensionContent, Room } from "./extension.ts";
import { paymentIdentifierExtension } from "./payment-identifier.ts";
import { signedOffersExtension } from "./signed-offers.ts";

/** All that a 402 says besides the price, in its order. */
export const CHALLENGE_EXTENSIONS: readonly ChallengeExtension[] = [
  bazaarExtension,
  paymentIdentifierExtension,
  apiKeyExtension,
  signedOffersExtension,
];

type Extensions = Readonly<Record<string, ExtensionContent>>;

/** `extensions` of one 402, for every form of it. */
export function createExtensions(subject: ChallengeSubject): (room: Room) => Extensions {
  const all = CHALLENGE_EXTENSIONS.map(({ name, describe }) => ({ name, say: describe(subject) }));
  return (room) =>
    Object.fromEntries(
      all.flatMap(({ name, say }) => {
        const said = say(room);
        return said === null ? [] : [[name, said] as const];
      }),
    );
}

/** `extensions` of a payment for a product, as a facilitator gets it. */
export const forwardExtensions = (product: CatalogProduct): Extensions =>
  Object.fromEntries(CHALLENGE_EXTENSIONS.flatMap(({ name, forward }) => (forward ? [[name, forward(product)]] : [])));
