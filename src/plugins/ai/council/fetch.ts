import { type Static, Type } from "@sinclair/typebox";
import { type FetchContext, type OtherAnswer, type Outcome, outcomeOf } from "intel-node";
import type { BarSeries } from "intel-node/series/bar-series";
import { loadBars } from "intel-node/series/load-bars";
import type { Coin } from "./schema.ts";

/** A year of 30-day volatilities. */
const BARS = 396;

const FearGreed = Type.Object({ value: Type.Number() });
const Regime = Type.Object({ regime: Type.Union([Type.Literal("bull"), Type.Literal("bear"), Type.Literal("chop")]) });
const Funding = Type.Object({
  derivatives: Type.Union([
    Type.Object({
      btc_funding_apr_pct: Type.Union([Type.Number(), Type.Null()]),
      eth_funding_apr_pct: Type.Union([Type.Number(), Type.Null()]),
      sol_funding_apr_pct: Type.Union([Type.Number(), Type.Null()]),
    }),
    Type.Null(),
  ]),
});

type Part<S extends typeof FearGreed | typeof Regime | typeof Funding> = Outcome<OtherAnswer<Static<S>>>;

export interface CouncilInputs {
  readonly symbol: Coin;
  /** Daily bars of the coin. */
  readonly series: BarSeries;
  readonly fear_greed: Part<typeof FearGreed>;
  readonly regime: Part<typeof Regime>;
  readonly funding: Part<typeof Funding>;
}

/** @throws NodeError without daily bars of the coin. */
export async function fetchCouncil(context: FetchContext, symbol: Coin): Promise<CouncilInputs> {
  const [series, fear_greed, regime, funding] = await Promise.all([
    loadBars(context, { symbol, interval: "1d", count: BARS, count_min: 201, grace: true }),
    outcomeOf(context.ask("/fear-greed", {}, FearGreed)),
    outcomeOf(context.ask("/regime", {}, Regime)),
    outcomeOf(context.ask("/market-brief", {}, Funding)),
  ]);
  return { symbol, series, fear_greed, regime, funding };
}
