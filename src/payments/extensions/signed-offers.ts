import type { ChallengeExtension } from "./extension.ts";

/** Signed offers. The body carries them, the header has no room for them. */
export const signedOffersExtension: ChallengeExtension = {
  name: "offer-receipt",
  describe:
    ({ signed_offers = null }) =>
    ({ detail }) =>
      detail === "body" ? signed_offers : null,
};
