import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, oneOf, share, text } from "intel-node";
import { APPROXIMATE_YEARS_OFF, YEARS_OFF } from "../lists/birth-years.ts";
import { LIST_IDS } from "../lists/sanction-lists.ts";

export const SCREEN_VERDICTS = ["hit", "possible", "clear", "incomplete"] as const;
export type ScreenVerdict = (typeof SCREEN_VERDICTS)[number];

export const SanctionsParams = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 200,
        description: "Name of a person or an organisation in any script, or a wallet address of any chain.",
      }),
    ),
    wallets: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9]{20,100}(,[A-Za-z0-9]{20,100}){0,49}$",
        maxLength: 5_100,
        description: "Instead of name: up to 50 wallets, separated by commas, looked up in the lists alone.",
      }),
    ),
    type: oneOf(["any", "person", "entity"] as const, "Which kind of listing is meant.", "any"),
    lists: Type.Optional(
      Type.String({
        pattern: `^(${LIST_IDS.join("|")})(,(${LIST_IDS.join("|")}))*$`,
        maxLength: 60,
        description: `Lists to look into, separated by commas, of ${LIST_IDS.join(", ")}; all of them when left out.`,
      }),
    ),
    threshold: Type.Number({
      minimum: 0.82,
      maximum: 1,
      default: 0.82,
      description: "Score from which a name is possible, 0.82 to 1.",
    }),
    birth_year: Type.Optional(
      Type.Integer({ minimum: 1850, maximum: 2100, description: "Year of birth of the person that is meant." }),
    ),
  },
  closed,
);

const Match = Type.Object(
  {
    list: oneOf([...LIST_IDS, "oracle"] as const, "List of the match."),
    entity_id: text("The list's own number of the entity."),
    primary_name: text("The entity's main name, as the list writes it; (no name) where it writes none."),
    matched_name: text("The name or wallet that matched, as the list writes it."),
    match_kind: oneOf(["primary", "alias", "weak", "wallet"] as const, "How the list writes what matched."),
    entity_type: oneOf(["person", "entity", "vessel", "aircraft"] as const, "What is listed."),
    programs: Type.Array(text("Sanctions programme."), { description: "Programmes it is listed under." }),
    score: share("Similarity of the names, 0 to 1; 1 for a wallet.", { decimals: 4 }),
    band: oneOf(
      ["exact", "strong", "possible"] as const,
      "exact: the same words; strong: 0.95 or more; else possible.",
    ),
    aligned: Type.Array(
      Type.Object(
        {
          query: text("Word of the query."),
          listed: text("Word of the list."),
          similarity: share("Their similarity, 0 to 1.", { decimals: 4 }),
        },
        closed,
      ),
      { description: "Words that were taken for the same; empty for a wallet." },
    ),
    birth_year_agrees: nullable(
      Type.Boolean(),
      `Whether the asked year of birth is within ${YEARS_OFF} year of a listed one or of a listed range, or within ` +
        `${APPROXIMATE_YEARS_OFF} where the list calls it approximate`,
      "where none was asked or listed",
    ),
    listed_on: nullable(Type.String(), "Day of the listing; null where the list does not say."),
    wallet_currency: nullable(Type.String(), "What the list says the wallet is of", "for names"),
  },
  closed,
);

const ListState = Type.Object(
  {
    id: oneOf(LIST_IDS, "Name of the list here."),
    title: text("Publisher and edition."),
    fresh: Type.Boolean({ description: "Whether it is there, taken in recently and published recently." }),
    fault: nullable(Type.String(), "Why it is not fresh", "when it is"),
    published_at: nullable(Type.String(), "When its publisher dated it, ISO 8601 UTC; null where not known."),
    taken_at: nullable(Type.String(), "When this node took it in, ISO 8601 UTC; null when it never did."),
    sha256: nullable(Type.String(), "SHA-256 of the file, hex", "when there is none"),
    rows: count("Names and wallets in it."),
  },
  closed,
);

export const SanctionsSchema = Type.Object(
  {
    query: nullable(Type.String(), "What was screened", "for a call that asks for the state of the lists"),
    query_type: nullable(
      oneOf(["name", "wallet", "wallets"] as const, "What it was taken for."),
      "",
      "without a query",
    ),
    wallet_chain: nullable(Type.String(), "Chain the address looks like one of", "for names and for several wallets"),
    verdict: nullable(
      oneOf(SCREEN_VERDICTS, "The worst that was found."),
      "hit: listed, or nearly certainly; possible: look at it; clear: in no list, all lists fresh; incomplete: not " +
        "found, but a list or the oracle is missing, old or not asked (several wallets).",
      "without a query",
    ),
    matches: Type.Array(Match, { maxItems: 20, description: "What was found, best first." }),
    listed_wallets: Type.Array(text("As it was asked for."), {
      maxItems: 50,
      description: "Of several wallets, all that are on a list; empty otherwise.",
    }),
    lists: Type.Array(ListState, { description: "The lists that were looked into, with version and digest." }),
    oracle: nullable(
      Type.Object(
        {
          ethereum: nullable(Type.Boolean(), "What the oracle on Ethereum says; null when it gave no answer."),
          base: nullable(Type.Boolean(), "What the oracle on Base says; null when it gave no answer."),
        },
        closed,
      ),
      "The on-chain sanctions oracle, asked about one EVM wallet",
      "for all else",
    ),
    threshold: share("Score from which a name is possible.", { decimals: 4 }),
    scope_note: text("What was not checked."),
    not_advice: Type.Literal(true, { description: "This is not legal advice." }),
  },
  closed,
);

export type SanctionsParams = Static<typeof SanctionsParams>;
export type SanctionsData = Static<typeof SanctionsSchema>;
export type SanctionsMatch = Static<typeof Match>;
