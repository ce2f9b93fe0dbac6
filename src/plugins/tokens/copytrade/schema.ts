import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, scopeFields, share, text } from "../parameters/token-schema.ts";
import { SampledSchema, WindowSchema } from "../smart-money/schema.ts";
import { TRADE_CHAINS } from "../whales/chains.ts";

export const HAIRCUT_BPS = 150;
export const DAYS = 14;

export const CopytradeParams = Type.Object(
  {
    wallet: Type.Optional(
      Type.String({
        minLength: 32,
        maxLength: 44,
        description: "Wallet on Ethereum or Base; the best one of /smart-money when left out.",
      }),
    ),
    haircut_bps: Type.Optional(
      Type.Integer({
        description: "What a copier pays more and gets less on each trade, basis points.",
        minimum: 0,
        maximum: 1_000,
        default: HAIRCUT_BPS,
      }),
    ),
    days: Type.Optional(Type.Integer({ description: "Window.", minimum: 1, maximum: 30, default: DAYS })),
  },
  closed,
);

const usd = (description: string) => number(description, { decimals: 2 });
const pct = (description: string) => number(description, { decimals: 2 });
const NONE_CLOSED = "Null without a closed sale.";
const symbol = nullable(Type.String(), "As its maker calls it, made harmless; null when no source states it.");

const PerformanceSchema = Type.Object(
  {
    realized_pnl_usd: usd("Profit of closed sales, first in, first out, before gas."),
    matched_cost_usd: usd("What the closed buys cost."),
    roi_pct: nullable(pct("Profit per cost, percent."), NONE_CLOSED),
    copy_pnl_usd: usd("The same with the haircut on each side."),
    copy_roi_pct: nullable(pct("Copier's profit per cost, percent."), NONE_CLOSED),
    haircut_bps: count("As asked."),
    closed: count("Sales that closed a buy that was seen."),
    wins: count("Of these with a profit."),
    win_rate: nullable(share("Wins among them.", { decimals: 4 }), NONE_CLOSED),
    win_rate_lower95: nullable(share("Lower end of Wilson's 95 % interval.", { decimals: 4 }), NONE_CLOSED),
    max_drawdown_usd: usd("Largest fall of the realised sum from its highest point."),
    unmatched_sell_share: share("Part of its sales without a seen purchase.", { decimals: 4 }),
  },
  { ...closed, description: "What it made, and what a copier would have made." },
);

const BehaviourSchema = Type.Object(
  {
    median_hold_min: nullable(number("Minutes, by blocks.", { decimals: 1 }), NONE_CLOSED),
    fresh_token_share: nullable(
      share("Trades in tokens whose pool was younger than a day.", { decimals: 4 }),
      "Null where no pool says its age.",
    ),
    avoid_share: nullable(
      share("Judged tokens that are AVOID now.", { decimals: 4 }),
      "Null where none was judged within a day.",
    ),
    one_block_share: share("Trades in blocks in which it went both ways.", { decimals: 4 }),
    followed_share: nullable(
      share("Buys after which others bought five times as much within a minute.", { decimals: 4 }),
      "",
      "without a buy",
    ),
  },
  { ...closed, description: "How it trades." },
);

export const CopytradeSchema = Type.Object(
  {
    wallet: text("Lower case."),
    chain: oneOf(TRADE_CHAINS, "Chain it trades on most."),
    window: WindowSchema,
    sampled: SampledSchema,
    trades_seen: count("Its trades of 1,000 US dollars and more that were read."),
    performance: PerformanceSchema,
    behaviour: BehaviourSchema,
    copyability: nullable(
      number("0 to 100.", { decimals: 1 }),
      "Null below five closed sales, or when more than half of what it sold was not seen bought.",
    ),
    factors: Type.Array(Type.Object({ id: text("Part of it."), points: number("Points.", { decimals: 2 }) }, closed), {
      description: "What copyability is the sum of; what is not known counts 0.",
    }),
    open_positions: Type.Array(
      Type.Object(
        {
          token: text("Its only identity."),
          symbol,
          qty: number("Whole tokens.", { digits: 8 }),
          cost_usd: usd("What it cost."),
          value_usd: nullable(usd("At the last trade that was read."), "Null where none was."),
        },
        closed,
      ),
      { description: "What it bought here and was not seen selling, dearest first." },
    ),
    recent_trades: Type.Array(
      Type.Object(
        {
          token: text("Its only identity."),
          symbol,
          side: oneOf(["buy", "sell"] as const, "From the wallet's side."),
          qty: number("Whole tokens.", { digits: 8 }),
          usd: usd("Paid or got."),
          tx: text("Transaction."),
          block: count("Block."),
          before: text("It happened before."),
        },
        closed,
      ),
      { description: "Newest first." },
    ),
    sanctions: nullable(
      oneOf(["hit", "possible", "clear", "incomplete"] as const, "As /sanctions says."),
      "Null where it gave no answer.",
    ),
    ...scopeFields,
  },
  closed,
);
export type CopytradeData = Static<typeof CopytradeSchema>;
