import { type Static, Type } from "@sinclair/typebox";
import { Flag, Price, USD_PATTERN } from "./schema-parts.ts";

const Rate = (value: string, what: string) =>
  Type.String({
    pattern: USD_PATTERN,
    default: value,
    description: `charge for 1,000 tokens of ${what}, USD`,
    expects: 'a USD amount such as "0.0005"',
  });
const byPath = (what: string, example: string) =>
  Type.Record(Type.String({ pattern: "^/" }), Price(what), {
    default: {},
    description: `${what}, USD, by path: ${example}`,
  });

/** What metered products cost keys and channels. */
export const Metering = Type.Object(
  {
    enabled: Flag(false, "true charges keys and payment channels by what an answer took; others pay the flat price"),
    in_per_1k: Rate("0.0005", "the request"),
    out_per_1k: Rate("0.002", "the answer"),
    floor: Type.String({
      pattern: USD_PATTERN,
      default: "0.001",
      description: "least that a metered answer costs, USD; no more than its ceiling",
      expects: 'a USD amount such as "0.001"',
    }),
    peer_pct: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      default: 10,
      description: "charge for a relayed call, in percent of what the peer was paid",
    }),
    floors: byPath("least that an answer costs", '"/deep-think" = "0.05"'),
    ceilings: byPath("most that an answer costs, instead of its price", '"/deep-think" = "0.50"'),
    models: Type.Record(
      Type.String({ pattern: "^[a-z][a-z0-9_-]{0,39}$" }),
      Type.Object(
        { in_per_1k: Rate("0.0005", "the request"), out_per_1k: Rate("0.002", "the answer") },
        { additionalProperties: false, description: "rates of one of [[models]]" },
      ),
      { default: {}, description: "other rates by the id of a model" },
    ),
  },
  { additionalProperties: false, default: {}, description: "metered answers" },
);
export type Metering = Static<typeof Metering>;
