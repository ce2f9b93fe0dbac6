import { type Static, Type } from "@sinclair/typebox";
import * as field from "../parameters/token-schema.ts";
import { FactoryLaunches } from "./factories.ts";

const { closed, count, nullable, number, oneOf, text } = field;

export const PumpMonitorParams = Type.Object(
  {
    limit: Type.Optional(field.limitParam(50, 8)),
    min_progress: Type.Optional(
      Type.Integer({ description: "Least progress of the curve, percent.", minimum: 0, maximum: 100, default: 60 }),
    ),
  },
  closed,
);

const Coin = Type.Object(
  {
    mint: text("Its identity."),
    source: text("Its source: pump_fun or pumpportal."),
    symbol: text("Anybody's text, made harmless."),
    name: text("Anybody's text, made harmless."),
    progress_pct: nullable(
      number("Percent.", { decimals: 2 }),
      "Part of the curve's tokens that is sold; null where the curve is not the standard one.",
    ),
    sol_raised: nullable(number("SOL.", { decimals: 4 }), "SOL in the curve; null where it is not the standard one."),
    mcap_sol: nullable(
      number("SOL.", { decimals: 4 }),
      "All tokens at the curve's price; null where the curve is not known, and once the coin left it.",
    ),
    mcap_usd: nullable(number("US dollars.", { decimals: 2 }), "The same in US dollars; null without a price of SOL."),
    age_min: number("Since its launch.", { decimals: 1 }),
    creator: nullable(Type.String(), "Its creator; null when no source states it."),
    dev_buy_pct: nullable(
      number("Percent.", { decimals: 4 }),
      "Part of the supply the creator bought at once; null where the stream did not say.",
    ),
    creator_prior_launches: count("His earlier launches of the last 8 days that this node saw: a lower bound."),
    last_trade_at: nullable(Type.String(), "Null when no source states it."),
    flags: Type.Array(
      oneOf(
        ["dev_heavy", "serial_creator", "stale", "non_standard_curve"],
        "dev_heavy: 10 % and more at once. serial_creator: 5 earlier launches. stale: no trade in 30 minutes.",
      ),
      { description: "What to be careful of." },
    ),
  },
  closed,
);
const rate = (description: string) =>
  nullable(
    number(description, { decimals: 4 }),
    `${description} Null where more than a tenth of the window was not watched.`,
  );

export const PumpMonitorSchema = Type.Object(
  {
    window: Type.Object(
      {
        from: text("Start of the last 24 hours, or of the watch."),
        to: text("End."),
        gap_seconds: number("Not watched in between.", { decimals: 0 }),
      },
      { ...closed, description: "What was watched." },
    ),
    launches_per_min: number("Over the last 10 minutes.", { decimals: 2 }),
    creates_1h: count("Launches of the last hour."),
    creates_24h: count("Launches of the window."),
    migrations_1h: count("Curves that were seen to fill up in the last hour."),
    migrations_24h: count("The same in the window."),
    graduation_rate_24h: rate("Migrations over launches of the window."),
    near_graduation: Type.Array(Coin, { description: "Closest to the end of the curve first." }),
    newest: Type.Array(Coin, { description: "The newest launches, at most 5." }),
    recent_migrations: Type.Array(
      Type.Object(
        {
          mint: text("Token."),
          pool: nullable(Type.String(), "Where it went; null when no source states it."),
          at: text("When it was seen."),
        },
        closed,
      ),
      { description: "The newest, at most 10." },
    ),
    factories: Type.Array(FactoryLaunches, { description: "Launches by pool factories on Ethereum and Base." }),
  },
  closed,
);
export type PumpMonitorData = Static<typeof PumpMonitorSchema>;
export type PumpCoinData = Static<typeof Coin>;
