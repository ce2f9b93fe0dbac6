import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf, text } from "../core/schema-fields.ts";
import { UNITS } from "./facts.ts";

const Ids = (description: string) => Type.Array(Type.String(), { description, maxItems: 400 });

const PublishedFact = Type.Object(
  {
    id: text("F1, F2 and so on; what `blocks[].facts` cites."),
    name: text("Its name, the same from edition to edition."),
    label: text("What it is."),
    value: Type.Number({ description: "The number, in `unit`.", digits: 10 }),
    unit: oneOf(
      UNITS,
      "usd, brl, eur; pct (percent), pp (percentage points), bps, ratio; a bare number; or day, YYYYMMDD.",
    ),
    kind: oneOf(["level", "change"] as const, "A change's sign is its direction."),
    about: nullable(Type.String(), "Whom it is of", "where that is clear from the label"),
    window: nullable(Type.String(), "The stretch of time it is of", "for none"),
    from: text("Product it was taken from."),
    as_of: text("Day or instant it is of, ISO 8601."),
  },
  closed,
);

const Citation = Type.Object(
  {
    id: text("N1, N2 and so on; what `blocks[].sources` cites."),
    title: text("The headline, as published, cleaned."),
    url: text("Where it stands."),
    domain: text("Whose it is."),
    published_at: nullable(Type.String(), "When, ISO 8601; null when not stated."),
  },
  closed,
);

const WrittenBy = oneOf(["model", "mixed", "template"] as const, "Who wrote the sentences.");

export const BlockSchema = Type.Object(
  {
    id: text("Which part of the text it is."),
    text: Type.String({ description: "Sentences; every figure and day is one of `facts`.", maxLength: 6_000 }),
    facts: Ids("Facts it shows."),
    sources: Ids("Texts it quotes."),
    written_by: oneOf(["model", "template"] as const, "Who wrote this block."),
  },
  closed,
);

const Writer = Type.Object(
  {
    provider_id: nullable(Type.String(), "Which configured model wrote", "for templates"),
    model: nullable(Type.String(), "What its host calls it", "for templates"),
    attempts: Type.Integer({ description: "Calls made to models.", minimum: 0 }),
    regenerated: Type.Boolean({ description: "Whether it was asked again because of what the guard found." }),
    violations_first_attempt: Type.Integer({ description: "What the guard found at first.", minimum: 0 }),
    prompt_version: nullable(Type.String(), "Start of the prompt's hash", "for templates"),
  },
  { ...closed, description: "How the text was made." },
);

/** What every written product answers beside its own fields. */
export const WRITTEN_FIELDS = {
  blocks: Type.Array(BlockSchema, { description: "The text, in parts.", maxItems: 40 }),
  facts: Type.Array(PublishedFact, { description: "Every number the text may show.", maxItems: 400 }),
  citations: Type.Array(Citation, { description: "Headlines the text may quote.", maxItems: 40 }),
  written_by: WrittenBy,
  writer: Writer,
  pack_hash: Type.String({
    description: "SHA-256, hex, of the canonical JSON (RFC 8785) of `{facts, citations}`.",
    pattern: "^[0-9a-f]{64}$",
  }),
  disclaimer: text("What the text is not."),
} as const;

const WrittenSchema = Type.Object(WRITTEN_FIELDS, closed);
export type WrittenAnswer = Static<typeof WrittenSchema>;
export type WrittenBlock = Static<typeof BlockSchema>;
