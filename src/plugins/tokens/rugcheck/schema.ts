import { type Static, Type } from "@sinclair/typebox";
import * as field from "../parameters/token-schema.ts";

const { closed, nullable, number, oneOf, text } = field;

export const RugcheckParams = Type.Object(
  { mint: Type.Optional(field.tokenParam("A mint of Solana; without it the newest launch this node saw.")) },
  closed,
);

const pct = (description: string) =>
  nullable(number(description, { decimals: 4 }), `${description} Null when no source states it.`);
const flag = (description: string) => nullable(Type.Boolean(), `${description} Null when no source states it.`);
const address = (description: string) =>
  Type.Object(
    {
      address: nullable(Type.String(), "Who has it", "when nobody has, and where `known` is false"),
      known: Type.Boolean({ description: "Whether the chain or an opinion says so." }),
    },
    { ...closed, description },
  );

export const RugcheckSchema = Type.Object(
  {
    token: field.Token,
    authorities: Type.Object(
      {
        mint: address("Address that can mint more."),
        freeze: address("Address that can freeze holders."),
        update: address("Address that can change its name."),
      },
      { ...closed, description: "Powers over the mint." },
    ),
    extensions: Type.Object(
      {
        permanent_delegate: flag("Somebody can move anybody's tokens."),
        transfers_blocked: flag("Frozen by default, paused, or not transferable."),
        transfer_hook: flag("A program runs with every transfer."),
        fee_bps: nullable(
          number("Fee of a transfer, basis points."),
          "Fee of a transfer, basis points. Null when no source states it.",
        ),
        metadata_mutable: flag("Its name can be changed."),
      },
      { ...closed, description: "Of Token-2022, the worst that any source says." },
    ),
    holders: Type.Object(
      {
        top1_pct: pct("Largest holder without pools, burns and lockers, percent of supply."),
        top10_pct: pct("Ten largest together."),
        count: nullable(field.count("Holders."), "As RugCheck or GoPlus count them. Null where neither does."),
        excluded: Type.Array(
          Type.Object(
            {
              address: text("Holder."),
              pct: number("Percent of supply.", { decimals: 4 }),
              reason: oneOf(["pool", "burn", "locker"], "Why."),
            },
            closed,
          ),
          { description: "Holders left out." },
        ),
      },
      { ...closed, description: "Its holders." },
    ),
    creator: Type.Object(
      {
        address: nullable(Type.String(), "Null when no source states it."),
        pct: pct("What the creator holds, percent of supply."),
        prior_launches: nullable(
          field.count("Tokens he launched."),
          "As RugCheck lists them; on EVM chains the traps GoPlus counts. Null where neither says.",
        ),
        prior_rug: flag("RugCheck lists rugged tokens of his, or GoPlus counts traps."),
      },
      { ...closed, description: "Its creator." },
    ),
    insiders: Type.Object(
      {
        networks: nullable(field.count("Groups."), "Groups of two wallets and more. Null when no source states it."),
        pct: pct("What insiders hold, percent of supply."),
        detected: nullable(field.count("Wallets."), "Wallets RugCheck connects. Null where it does not say."),
      },
      { ...closed, description: "Connected wallets." },
    ),
    liquidity: Type.Object(
      {
        usd: nullable(
          number("US dollars.", { decimals: 2 }),
          "The smallest value of the sources. Null where no source states one.",
        ),
        lp_locked_pct: pct("Part of the pool that cannot be withdrawn within 30 days."),
        venue: nullable(
          oneOf(["curve", "amm"], "Where."),
          "A launchpad's curve, or pools. Null where it is in no table.",
        ),
      },
      { ...closed, description: "What can be sold into." },
    ),
    provider: Type.Object(
      {
        rugcheck_score: nullable(number("Score."), "RugCheck's own score, higher is worse. Null without its report."),
        rugcheck_score_normalised: nullable(number("Score."), "The same from 0 to 100. Null without its report."),
        rugcheck_risks: nullable(
          Type.Array(Type.Object({ name: text("Risk."), level: text("Level."), score: number("Points.") }, closed)),
          "Its own list. Null without its report.",
        ),
        goplus_trusted: flag("GoPlus has it on its list of trusted tokens."),
      },
      { ...closed, description: "Opinions as they are." },
    ),
    ...field.judgementFields,
    risk_level: oneOf(
      ["low", "medium", "high", "critical"],
      "critical: a hard fail. high: 60 points, or too little known. low: everything known and little found.",
    ),
    ...field.scopeFields,
  },
  closed,
);
export type RugcheckData = Static<typeof RugcheckSchema>;
