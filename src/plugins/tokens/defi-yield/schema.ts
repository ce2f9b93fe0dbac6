import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, text } from "intel-node";
import { YIELD_CHAINS } from "../yields/protocol.ts";
import { RISK_RULES, RISK_WORDS } from "../yields/risk-rules.ts";

/** Rows without `limit`: what a model's context can spare. */
export const LIMIT_USUAL = 12;

export const DefiYieldParams = Type.Object(
  {
    protocol: Type.Optional(
      Type.String({
        description: "Name or its beginning, such as aave; all of them without it.",
        minLength: 1,
        maxLength: 40,
      }),
    ),
    asset: Type.Optional(
      Type.String({
        description: "What is earned on, such as USDC, ETH with its staked and wrapped forms, SOL; all without it.",
        pattern: "^\\s*[A-Za-z0-9]{2,12}\\s*$",
        maxLength: 20,
      }),
    ),
    chain: Type.Optional(oneOf(YIELD_CHAINS, "This chain only.")),
    stable_only: Type.Optional(Type.Boolean({ description: "Dollar tokens only.", default: false })),
    limit: Type.Optional(Type.Integer({ description: "Rows at most.", minimum: 1, maximum: 50, default: LIMIT_USUAL })),
  },
  closed,
);

const apy = (description: string) =>
  nullable(number(description, { decimals: 4 }), `${description} Null without the samples it takes.`);
const percent = (description: string, decimals = 2) => nullable(number("Percent.", { decimals }), description);
const dollars = (description: string) => nullable(number("US dollars.", { decimals: 0 }), description);

const Reward = Type.Object(
  {
    symbol: nullable(Type.String(), "Token it is paid in; null where this node does not know it."),
    token: text("Its contract."),
    apr_pct: percent("Of a year, not compounded, at the price in `prices`. Null without a price.", 4),
    ends_at: nullable(Type.String(), "When the contract stops to pay", "where it names no end"),
  },
  closed,
);
const Risk = Type.Object(
  {
    rule: oneOf(RISK_WORDS, RISK_RULES.map(({ rule, when, limit }) => `${rule}: ${when} ${limit}`).join("; ")),
    value: number("The figure that made it hold.", { decimals: 4 }),
    limit: number("The rule's limit.", { decimals: 4 }),
  },
  closed,
);

export const DefiYieldSchema = Type.Object(
  {
    protocol_filter: nullable(Type.String(), "As asked", "without one"),
    asset_filter: nullable(Type.String(), "The asset as asked", "without one"),
    pools_considered: count("Contracts read that go with the question."),
    pools: Type.Array(
      Type.Object(
        {
          pool_id: text("Protocol, token and chain."),
          project: text("Protocol."),
          chain: oneOf(YIELD_CHAINS, "Chain."),
          symbol: text("Token that is held."),
          contract: text("The contract or account that says so."),
          block_at: text("Time of the block it was read at."),
          base_apy_pct: number(
            "Paid in the underlying: the rate of now, compounded; of shares the growth of 7 days, else 1, in a year.",
            { decimals: 4 },
          ),
          method: oneOf(["rate", "share_price_7d", "share_price_1d"], "Which of these."),
          base_apy_1d_pct: apy("Growth of a share over 1 day, in a year; of rates the mean of the samples."),
          base_apy_7d_pct: apy("The same over 7 days."),
          base_apy_30d_pct: apy("The same over 30 days."),
          reward_apr_pct: percent(
            "All rewards contracts pay beside it; 0 where they say none. Null where no contract says, or no price.",
            4,
          ),
          total_pct: percent("Base and rewards; null unless both are known.", 4),
          rewards: nullable(Type.Array(Reward, { maxItems: 6 }), "Token by token; null where no contract says."),
          underlying: text("The asset that is lent, or that a share represents."),
          locked: nullable(Type.String(), "What is deposited, in the underlying, exact. Null where unread."),
          locked_usd: dollars("The same at the price in `prices`; null without one."),
          share_drawdown_pct: percent("Largest fall of the share price within 30 days of samples; null for rates.", 6),
          utilization_pct: percent(
            "Part of the deposits that is lent out; near 100 they cannot be withdrawn at once. Null without loans.",
          ),
          cap_used_pct: percent("Part of the most that may be deposited. Null without a cap, or where unread."),
          is_paused: nullable(Type.Boolean(), "Deposits are stopped; null where the contract does not say."),
          stablecoin: Type.Boolean({ description: "It represents US dollars." }),
          risks: Type.Array(Risk, {
            description:
              "Words whose rules hold. A rule whose figure is null was not checked; no word does not mean safety.",
          }),
        },
        closed,
      ),
      { description: "Highest base yield first." },
    ),
    prices: Type.Array(
      Type.Object(
        {
          symbol: text("Token; WETH counts as ETH."),
          price_usd: number("US dollars.", { digits: 8 }),
          updated_at: text("When its feed was written."),
          source: text("Its source: the feed's chain and contract."),
        },
        closed,
      ),
      { description: "What dollars and rewards of the rows were made with." },
    ),
    summary: Type.Object(
      {
        median_apy_pct: number("Median of the base yields.", { decimals: 4 }),
        best_stable_apy_pct: percent("Best base yield of the stable rows; null without one.", 4),
        locked_usd: dollars("Sum of the priced rows; null without one."),
        unpriced: count("Rows without a value in US dollars."),
      },
      { ...closed, description: "All rows together, those not shown too." },
    ),
  },
  closed,
);
export type DefiYieldData = Static<typeof DefiYieldSchema>;
