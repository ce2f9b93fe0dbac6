import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text } from "intel-node";
import { TOKEN_CHAINS } from "intel-node/providers/issuer-tokens";
import { BASES, VERDICTS } from "../judge/judge.ts";

export const chainParam = (fallback?: (typeof TOKEN_CHAINS)[number]) =>
  oneOf(TOKEN_CHAINS, "Chain of the token; without it a hex address is taken for Base's.", fallback);
export const tokenParam = (description: string) => Type.String({ description, minLength: 32, maxLength: 44 });

export const Token = Type.Object(
  {
    chain: oneOf(TOKEN_CHAINS, "Chain it is on."),
    address: text("Its only identity: names and symbols are anybody's text."),
    name: nullable(Type.String(), "As its maker calls it, made harmless; null when no source states it."),
    symbol: nullable(Type.String(), "As its maker calls it, made harmless; null when no source states it."),
  },
  { ...closed, description: "The token." },
);
export type TokenData = Static<typeof Token>;

const sources = Type.Array(Type.String(), { description: "Providers that say so." });

const Factor = Type.Object(
  {
    id: text("Factor of LR-1."),
    value: nullable(number("What it is made of.", { digits: 8 }), "What it is made of; null when no source states it."),
    unit: text("Unit of value."),
    points: number("Points it adds to the risk.", { decimals: 2 }),
    max_points: number("Most it can add."),
    known: Type.Boolean({ description: "False: counted at 0.6 of its points, or at what it was last seen at." }),
    sources,
  },
  closed,
);
const Finding = Type.Object({ id: text("Rule of LR-1."), evidence: text("What it means."), sources }, closed);
const ConflictRow = Type.Object(
  {
    fact: text("What they disagree on."),
    values: Type.Array(
      Type.Object(
        {
          source: text("Provider."),
          value: Type.Union([number("A figure.", { digits: 8 }), text("An address.")], {
            description: "What it says; 1 is yes. Of creator: an address.",
          }),
        },
        closed,
      ),
      {
        description: "Each source's statement; the worst counts.",
      },
    ),
  },
  closed,
);

/** The parts of a judgement that products show. */
export const judgementFields = {
  risk: number(
    "0 to 100, higher is worse: the points of the factors, and at least 60 where a floor (F1 to F3) holds.",
    {
      decimals: 1,
    },
  ),
  coverage: share("Part of the factors' points whose facts are known. Rules without facts are in `unknown` alone.", {
    decimals: 4,
  }),
  factors: Type.Array(Factor, { description: "Where the risk comes from." }),
  hard_fails: Type.Array(Finding, { description: "Each alone makes the worst verdict." }),
  caps: Type.Array(Finding, { description: "Each alone takes the best verdict away; two are the worst." }),
  unknown: Type.Array(Type.String(), { description: "Factors and rules without facts from any source." }),
  conflicts: Type.Array(ConflictRow, { description: "Where sources disagree." }),
} as const;

export const verdictField = oneOf(VERDICTS, "AVOID, WATCH, or SIZE: nothing known speaks against it.");
export const basisField = oneOf(BASES, "Why: a hard fail, too little known, points, a cap, or nothing.");
export const scopeFields = {
  scope_note: text("What was not checked."),
  not_advice: Type.Literal(true, { description: "No advice to buy or sell." }),
} as const;
export const limitParam = (most: number, fallback: number) =>
  Type.Integer({ description: "Rows at most.", minimum: 1, maximum: most, default: fallback });
export { closed, count, nullable, number, oneOf, share, text };
