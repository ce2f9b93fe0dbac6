import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, text } from "intel-node";
import { YIELD_CHAINS } from "../shared/yields/protocol.ts";

export const DefiYieldParams = Type.Object(
  {
    protocol: Type.Optional(
      Type.String({
        description: "Name or its beginning, such as aave; all of them without it.",
        minLength: 1,
        maxLength: 40,
      }),
    ),
    chain: Type.Optional(oneOf(YIELD_CHAINS, "This chain only.")),
    stable_only: Type.Optional(Type.Boolean({ description: "Dollar tokens only.", default: false })),
    limit: Type.Optional(Type.Integer({ description: "Rows at most.", minimum: 1, maximum: 50, default: 20 })),
  },
  closed,
);

const apy = (description: string) =>
  nullable(number(description, { decimals: 4 }), `${description} Null without the samples it takes.`);

export const DefiYieldSchema = Type.Object(
  {
    protocol_filter: nullable(Type.String(), "As asked; null without one."),
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
          apy_pct: number("The rate of now, compounded; of shares the growth of 7 days, else of 1 day, in a year.", {
            decimals: 4,
          }),
          method: oneOf(["rate", "share_price_7d", "share_price_1d"], "Which of these."),
          apy_1d_pct: apy("Growth of a share over 1 day, in a year; of rates the mean of the samples."),
          apy_7d_pct: apy("The same over 7 days."),
          apy_30d_pct: apy("The same over 30 days."),
          share_drawdown_pct: nullable(
            number("Percent.", { decimals: 6 }),
            "Largest fall of the share price within the samples of 30 days; null for rates.",
          ),
          utilization_pct: nullable(
            number("Percent.", { decimals: 2 }),
            "Part of the deposits that is lent out; near 100 they cannot be taken back at once. Null where none is.",
          ),
          cap_used_pct: nullable(
            number("Percent.", { decimals: 2 }),
            "Part of the most that may be deposited. Null without a cap, or where the contract does not say.",
          ),
          is_paused: nullable(Type.Boolean(), "Deposits are stopped; null where the contract does not say."),
          stablecoin: Type.Boolean({ description: "It stands for US dollars." }),
        },
        closed,
      ),
      { description: "Highest yield first; base yields only, without rewards." },
    ),
    summary: Type.Object(
      {
        median_apy_pct: number("Median of the rows.", { decimals: 4 }),
        best_stable_apy_pct: nullable(
          number("Percent.", { decimals: 4 }),
          "Best of the stable rows; null without one.",
        ),
      },
      { ...closed, description: "All rows together." },
    ),
  },
  closed,
);
export type DefiYieldData = Static<typeof DefiYieldSchema>;
