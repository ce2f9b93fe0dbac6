import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf, share, WRITTEN_FIELDS } from "intel-node";
import { VOLATILITY_STATES } from "../regimes/volatility.ts";

export const RISKY = ["BTC", "ETH", "SOL"] as const;
export const HELD = [...RISKY, "USDC"] as const;
const PROFILE_IDS = ["conservative", "balanced", "aggressive"] as const;

const Asset = Type.Object(
  {
    symbol: oneOf(RISKY, "Risky asset."),
    vol_pct: Type.Number({
      description: "Volatility, percent per year (weighted, newest days most).",
      minimum: 0,
      decimals: 2,
    }),
    inverse_vol_weight: share("Its part of the risky assets, in proportion to 1 / volatility, at most 0.6.", {
      decimals: 4,
    }),
  },
  closed,
);

const Weights = Type.Object(
  {
    BTC: share("Bitcoin.", { decimals: 4 }),
    ETH: share("Ether.", { decimals: 4 }),
    SOL: share("Solana.", { decimals: 4 }),
    USDC: share("The rest.", { decimals: 4 }),
  },
  { ...closed, description: "Target weights; before rounding they sum to 1." },
);

const ScenarioLoss = Type.Object(
  {
    id: Type.String({ description: "Scenario of /portfolio-stress." }),
    pnl_pct: Type.Number({ description: "Result of the portfolio, percent.", decimals: 2 }),
  },
  closed,
);

const Profile = Type.Object(
  {
    id: oneOf(PROFILE_IDS, "conservative, balanced or aggressive."),
    target_vol_pct: Type.Number({
      description: "Volatility aimed at in a bull market, percent per year.",
      decimals: 2,
    }),
    multiplier: share("What regime and volatility state leave of the target.", { decimals: 4 }),
    gross_frac: share("Part of the portfolio in risky assets: min(1, target x multiplier / sigma).", { decimals: 4 }),
    weights: Weights,
    expected_vol_pct: Type.Number({
      description: "Volatility of the portfolio, percent per year.",
      minimum: 0,
      decimals: 2,
    }),
    var95_1d_pct: Type.Number({
      description: "Loss of one day not exceeded with 95 %, percent.",
      minimum: 0,
      decimals: 2,
    }),
    var95_30d_pct: Type.Number({
      description: "The same of 30 days, x sqrt(30): an approximation.",
      minimum: 0,
      decimals: 2,
    }),
    worst_scenario_pct: Type.Number({ description: "Result in the worst scenario, percent.", decimals: 2 }),
    worst_scenarios: Type.Array(ScenarioLoss, { description: "The five worst scenarios, worst first.", maxItems: 5 }),
    rebalance_rule: Type.String({ description: "When to return to the weights." }),
  },
  closed,
);

const Change = Type.Object(
  {
    id: oneOf(PROFILE_IDS, "Profile."),
    asset: oneOf(HELD, "Asset."),
    from_frac: share("Weight a day earlier.", { decimals: 4 }),
    to_frac: share("Weight now.", { decimals: 4 }),
    rebalance: Type.Boolean({ description: "Whether the step is large enough for the rebalance rule." }),
  },
  closed,
);

export const CopilotSchema = Type.Object(
  {
    regime: oneOf(["bull", "bear", "chop"], "State of the market, as in /regime."),
    volatility_state: oneOf(VOLATILITY_STATES, "Rank of Bitcoin's 30-day volatility in a year, as in /regime."),
    assets: Type.Array(Asset, { description: "The risky assets.", minItems: 3, maxItems: 3 }),
    sigma_risky_pct: Type.Number({
      description: "Volatility of the risky assets so weighted, percent per year.",
      decimals: 2,
    }),
    profiles: Type.Array(Profile, { description: "By growing risk.", minItems: 1, maxItems: 3 }),
    changes_since_yesterday: nullable(Type.Array(Change), "Weights that differ from those of a day earlier."),
    blocks: WRITTEN_FIELDS.blocks,
    facts: WRITTEN_FIELDS.facts,
    written_by: WRITTEN_FIELDS.written_by,
  },
  closed,
);

export type CopilotData = Static<typeof CopilotSchema>;
export type CopilotProfile = Static<typeof Profile>;
