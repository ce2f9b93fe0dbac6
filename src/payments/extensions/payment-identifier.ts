import { PAYMENT_IDENTIFIER } from "../codec.ts";
import type { ChallengeExtension } from "./extension.ts";

/** A buyer may name his payment, as the official extension declares it. */
const DECLARED = {
  info: { required: false },
  schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      required: { type: "boolean" },
      id: { type: "string", minLength: 16, maxLength: 128, pattern: "^[a-zA-Z0-9_-]+$" },
    },
    required: ["required"],
  },
};

/** As much of it as a client needs to name a payment. */
const BRIEF = { info: DECLARED.info };

export const paymentIdentifierExtension: ChallengeExtension = {
  name: PAYMENT_IDENTIFIER,
  describe:
    () =>
    ({ is_brief = false }) =>
      is_brief ? BRIEF : DECLARED,
};
