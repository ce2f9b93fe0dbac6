import { type Static, Type } from "@sinclair/typebox";
import * as field from "../parameters/token-schema.ts";
import { MarketsField, ResolutionField } from "../token-intel/schema.ts";

const { closed, nullable, number, oneOf, text } = field;

export const DOSSIER_VERDICTS = ["AVOID", "CAUTION", "OK"] as const;

export const TokenResearchParams = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        description: "A mint, contract or ticker; without it the newest launch this node saw.",
        minLength: 1,
        maxLength: 64,
      }),
    ),
    chain: Type.Optional(field.chainParam()),
  },
  closed,
);

const pct = (description: string) =>
  nullable(number(description, { decimals: 4 }), `${description} Null when no source states it.`);

export const TokenResearchSchema = Type.Object(
  {
    token: field.Token,
    resolution: ResolutionField,
    verdict: oneOf(DOSSIER_VERDICTS, "AVOID, CAUTION, or OK: everything known and nothing against it."),
    basis: text("What decided it."),
    confidence: field.share("coverage x share of rules known x min(1, sources / 3).", { decimals: 4 }),
    summary_points: Type.Array(Type.String(), { description: "At most 8 sentences, each with its numbers." }),
    ...field.judgementFields,
    market: MarketsField,
    holders: Type.Object(
      {
        top1_pct: pct("Largest holder, percent of supply."),
        top10_pct: pct("Ten largest."),
        hhi_lower: nullable(
          number("HHI.", { decimals: 2 }),
          "Herfindahl index, least; null without a list of holders.",
        ),
        hhi_upper: nullable(number("HHI.", { decimals: 2 }), "The same, most; null without a list of holders."),
        insider_pct: pct("RugCheck's insiders."),
        creator_pct: pct("Creator."),
        source: nullable(Type.String(), "Whose list; null without one."),
      },
      { ...closed, description: "Its holders." },
    ),
    creator: Type.Object(
      {
        address: nullable(Type.String(), "Null when no source states it."),
        screen: oneOf(
          ["hit", "possible", "clear", "incomplete", "unknown"],
          "Against lists of sanctions, by /sanctions; unknown where it was not screened.",
        ),
        insider_level: oneOf(
          ["severe", "elevated", "present", "none_seen", "unknown"],
          "As of /insider-track; unknown on EVM chains.",
        ),
      },
      { ...closed, description: "Its creator." },
    ),
    what_would_change_it: Type.Array(Type.String(), { description: "Changes that would improve the verdict." }),
    info: Type.Array(Type.String(), {
      description: "Facts that are not findings: issuer_controlled where the issuer has powers.",
    }),
    evidence: Type.Array(
      Type.Object(
        {
          fact: text("Fact."),
          value: number("Its value; 1 is yes.", { digits: 8 }),
          sources: Type.Array(Type.String(), { description: "Sources that say so." }),
        },
        closed,
      ),
      { description: "Every fact somebody gave." },
    ),
    ...field.scopeFields,
  },
  closed,
);
export type TokenResearchData = Static<typeof TokenResearchSchema>;
