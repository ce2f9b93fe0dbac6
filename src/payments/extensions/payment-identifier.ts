import { PAYMENT_IDENTIFIER } from "../codec.ts";
import { BRIEF_SCHEMA, type ChallengeExtension } from "./extension.ts";

const INFO = { required: false };
const ID = { type: "string", minLength: 16, maxLength: 128, pattern: "^[a-zA-Z0-9_-]+$" };

/** A buyer may name his payment, as the official extension declares it. */
const DECLARED = {
  info: INFO,
  schema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { required: { type: "boolean" }, id: ID },
    required: ["required"],
  },
};

/** As much of it as a client needs to name a payment; the body has the whole schema. */
const BRIEF = { info: INFO, schema: BRIEF_SCHEMA };

export const paymentIdentifierExtension: ChallengeExtension = {
  name: PAYMENT_IDENTIFIER,
  describe:
    () =>
    ({ is_brief = false }) =>
      is_brief ? BRIEF : DECLARED,
};
