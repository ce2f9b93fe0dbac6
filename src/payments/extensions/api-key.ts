import { BRIEF_SCHEMA, type ChallengeExtension } from "./extension.ts";

const SCHEMA = {
  type: "object",
  properties: { header: { type: "string" }, buy: { type: "string" } },
  required: ["header", "buy"],
};

/** The other way to pay for calls: by a key that is bought once. */
export const apiKeyExtension: ChallengeExtension = {
  name: "api-key",
  describe({ product, prepay_url }) {
    if (!prepay_url || product.definition.plan) return () => null;
    const info = { header: "X-API-Key", buy: prepay_url };
    return ({ is_brief = false, is_lean = false }) =>
      is_lean ? null : { info, schema: is_brief ? BRIEF_SCHEMA : SCHEMA };
  },
};
