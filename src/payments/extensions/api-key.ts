import type { ChallengeExtension } from "./extension.ts";

/** The other way to pay for calls: by a key that is bought once. */
export const apiKeyExtension: ChallengeExtension = {
  name: "api-key",
  describe({ product, prepay_url }) {
    const key = prepay_url && !product.definition.plan ? { header: "X-API-Key", buy: prepay_url } : null;
    return ({ is_lean = false }) => (is_lean ? null : key);
  },
};
