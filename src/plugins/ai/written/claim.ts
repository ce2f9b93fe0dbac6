import { type Static, Type } from "@sinclair/typebox";

/** A sentence with the facts it shows and the texts it quotes, as a model is asked for it. */
export const CLAIM = {
  type: "object",
  additionalProperties: false,
  required: ["text", "facts", "sources"],
  properties: {
    text: { type: "string" },
    facts: { type: "array", items: { type: "string" } },
    sources: { type: "array", items: { type: "string" } },
  },
} as const;

const Ids = Type.Array(Type.String({ maxLength: 40 }), { maxItems: 40, default: [] });
/** The same as it is read. */
export const Claim = Type.Object({ text: Type.String({ minLength: 1, maxLength: 2_000 }), facts: Ids, sources: Ids });
export type ClaimData = Static<typeof Claim>;

export const toBlock = (id: string, { text, facts, sources }: ClaimData) => ({ id, text: text.trim(), facts, sources });
