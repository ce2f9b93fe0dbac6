import { type Static, Type } from "@sinclair/typebox";
import { VERDICTS } from "../judge/judge.ts";
import {
  closed,
  count,
  limitParam,
  nullable,
  number,
  oneOf,
  scopeFields,
  share,
  text,
} from "../parameters/token-schema.ts";
import { SCANNED_CHAINS, TRADE_CHAINS } from "../whales/chains.ts";

export const SmartMoneyParams = Type.Object(
  {
    chain: Type.Optional(oneOf(TRADE_CHAINS, "This chain only.")),
    days: Type.Optional(Type.Integer({ description: "Window.", minimum: 1, maximum: 30, default: 7 })),
    limit: Type.Optional(limitParam(50, 10)),
    min_closed: Type.Optional(
      Type.Integer({ description: "Least closed sales of a wallet.", minimum: 3, maximum: 50, default: 5 }),
    ),
  },
  closed,
);

const usd = (description: string) => number(description, { decimals: 2 });

/** The part of the market that was read; shared with /copytrade. */
export const SampledSchema = Type.Object(
  {
    trades: count("Trades of 1,000 US dollars and more that were read."),
    chains: Type.Array(
      Type.Object(
        {
          chain: oneOf(SCANNED_CHAINS, "Chain."),
          pools: count("Pools whose swaps are read: its deepest ones."),
          blocks_scanned: count("Read whole."),
          blocks_expected: count("Of the window."),
          confirmations: count("Blocks nearer to the head are left for later."),
        },
        closed,
      ),
      { description: "Per chain that is read by blocks." },
    ),
    pools: Type.Array(
      Type.Object(
        {
          chain: text("Chain."),
          pool: text("Address."),
          name: text("Its two tokens, as their makers call them."),
          listed: count("Transactions that went through, at least."),
          read: count("Of these."),
          commitment: text("Of Solana's words for how sure."),
        },
        closed,
      ),
      { description: "Pools of Solana: an even sample of their transactions, and nothing else of that chain." },
    ),
  },
  { ...closed, description: "A sample: the swaps of a few pools, in what of them was read." },
);
export const WindowSchema = Type.Object(
  { from: text("Start."), to: text("End.") },
  { ...closed, description: "Asked for." },
);

const Flow = Type.Object(
  {
    chain: oneOf(TRADE_CHAINS, "Chain."),
    token: text("Its only identity."),
    symbol: nullable(Type.String(), "As its maker calls it, made harmless; null when no source states it."),
    net_usd_24h: usd("Bought less sold by the listed wallets within 24 hours."),
    buyers: count("Listed wallets that bought more than they sold."),
    sellers: count("Listed wallets that sold more than they bought."),
    launch_verdict: nullable(
      oneOf(VERDICTS, "As /launch-risk judged it."),
      "Null where it was not judged within a day.",
    ),
  },
  closed,
);

export const SmartMoneySchema = Type.Object(
  {
    window: WindowSchema,
    sampled: SampledSchema,
    wallets: Type.Array(
      Type.Object(
        {
          chain: oneOf(TRADE_CHAINS, "Chain."),
          address: text("Signer of the transactions."),
          score: number("0 to 100.", { decimals: 1 }),
          factors: Type.Array(
            Type.Object({ id: text("Part of the score."), points: number("Points.", { decimals: 2 }) }, closed),
            { description: "What the score is the sum of." },
          ),
          realized_pnl_usd: usd("Profit of closed sales, first in, first out, before gas."),
          closed_trades: count("Sales that closed a buy that was seen."),
          wins: count("Of these with a profit."),
          win_rate: share("Wins among them.", { decimals: 4 }),
          win_rate_lower95: share("Lower end of Wilson's 95 % interval.", { decimals: 4 }),
          tokens: count("Tokens it traded."),
          unmatched_share: share("Part of its sales without a seen purchase; profit on them does not count.", {
            decimals: 4,
          }),
          median_hold_min: nullable(number("Minutes, by blocks.", { decimals: 1 }), "", "without a closed sale"),
          last_trade_at: text("Not later than this."),
        },
        closed,
      ),
      { description: "Best first." },
    ),
    left_out: Type.Object(
      {
        too_few: count("Wallets with fewer closed sales than asked for, or fewer than three tokens."),
        no_profit: count("Wallets that made no money."),
        bots: count("Wallets that trade as programs do."),
        sanctioned: nullable(
          count("Of the best 50 those on a sanctions list; they do not count below."),
          "Null where the lists could not be asked.",
        ),
      },
      { ...closed, description: "Wallets that were seen and are not listed." },
    ),
    accumulating: Type.Array(Flow, { description: "Tokens the ranked wallets bought, most first." }),
    distributing: Type.Array(Flow, { description: "Tokens they sold, most first." }),
    ...scopeFields,
  },
  closed,
);
export type SmartMoneyData = Static<typeof SmartMoneySchema>;
