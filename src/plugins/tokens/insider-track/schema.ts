import { type Static, Type } from "@sinclair/typebox";
import * as field from "../parameters/token-schema.ts";

const { closed, count, nullable, number, oneOf, text } = field;

export const InsiderTrackParams = Type.Object(
  {
    mint: Type.Optional(field.tokenParam("One mint of Solana instead of the newest launches.")),
    limit: Type.Optional(field.limitParam(20, 5)),
  },
  closed,
);

const pct = (description: string) => number(description, { decimals: 4 });

export const InsiderTrackSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          token: field.Token,
          created_at: nullable(Type.String(), "Null when no source states it."),
          insider_score: number("0 to 100; unknown terms count as 0.", { decimals: 2 }),
          level: oneOf(
            ["severe", "elevated", "present", "none_seen", "unknown"],
            "From 60, 35, 15; none_seen only when all four terms are known.",
          ),
          score_is_lower_bound: Type.Boolean({
            description: "A term is unknown: the score can be higher, never lower.",
          }),
          network: nullable(
            Type.Object({ pct: pct("Percent of supply in connected wallets.") }, closed),
            "RugCheck's groups of two wallets and more; null where it does not say.",
          ),
          creator: nullable(
            Type.Object(
              {
                pct: nullable(pct("Percent of supply."), "What he holds; null when no source states it."),
                sold_share: nullable(
                  field.share("Share.", { decimals: 4 }),
                  "Part of his first purchase he sold since; null where the tape does not reach back.",
                ),
                prior_launches: nullable(count("Launches."), "Null where RugCheck does not list them."),
                prior_rug: nullable(Type.Boolean(), "Null where RugCheck does not say."),
              },
              closed,
            ),
            "Null where nothing is known of him.",
          ),
          bundle: nullable(
            Type.Object(
              {
                wallets: count("Wallets."),
                pct: pct("Percent of supply they bought."),
                slots: count("Slots in which they bought."),
              },
              closed,
            ),
            "Purchases of others in the slot of the launch and the next; null where the tape does not reach back.",
          ),
          early_wallets: Type.Array(
            Type.Object(
              {
                address: text("Wallet."),
                slot_offset: count("Slots after the launch."),
                pct: pct("Percent of supply bought."),
              },
              closed,
            ),
            { description: "Of the bundle, the five largest." },
          ),
          assessed_at: text("When it was looked at."),
        },
        closed,
      ),
      { description: "Highest score first." },
    ),
    ...field.scopeFields,
  },
  closed,
);
export type InsiderTrackData = Static<typeof InsiderTrackSchema>;
