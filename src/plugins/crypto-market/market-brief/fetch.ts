import type { Static, TSchema } from "@sinclair/typebox";
import { type FetchContext, type OtherAnswer, type Outcome, outcomeOf, toNodeError } from "intel-node";
import { fetchMarketCaps } from "intel-node/providers/market-caps";
import type { MarketCaps } from "intel-node/providers/market-caps-reading";
import type { BarSeries } from "intel-node/series/bar-series";
import { loadManyBars } from "intel-node/series/load-bars";
import { listMissingBars, type MissingBars } from "intel-node/series/missing-bars";
import { AnomaliasSchema } from "../anomalias/schema.ts";
import { fetchPositioning, type Positioning } from "../derivatives/stored-funding.ts";
import { FearGreedSchema } from "../fear-greed/schema.ts";
import { MempoolSchema } from "../mempool/schema.ts";
import { RegimeSchema } from "../regime/schema.ts";
import { SectorRotationSchema } from "../sector-rotation/schema.ts";
import { SinaisSchema } from "../sinais/schema.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";

/** A week of hours, the close before it and one more, because the newest can be missing. */
export const HOURS_PER_WEEK = 168;
const BARS = HOURS_PER_WEEK + 1;

/** Lesser oddities are not worth a brief. */
const SEVERITY_MIN = 0.5;

type Part<S extends TSchema> = Outcome<OtherAnswer<Static<S>>>;

export const FUNDED = ["BTC", "ETH", "SOL"] as const;

export interface MarketBriefInputs {
  /** Hourly bars of the coins that have them; BTC's are among them. */
  readonly hours: readonly BarSeries[];
  /** Coins without them. */
  readonly missing: readonly MissingBars[];
  readonly caps: Outcome<MarketCaps>;
  readonly regime: Part<typeof RegimeSchema>;
  readonly fear_greed: Part<typeof FearGreedSchema>;
  readonly sectors: Part<typeof SectorRotationSchema>;
  readonly anomalies: Part<typeof AnomaliasSchema>;
  readonly fees: Part<typeof MempoolSchema>;
  readonly signals: Part<typeof SinaisSchema>;
  readonly positioning: Readonly<Record<(typeof FUNDED)[number], Positioning | null>>;
}

/**
 * Everything at once. Only prices are essential; what else fails is handed over with its error.
 * @throws NodeError when Bitcoin has no bars of the last hour.
 */
export async function fetchMarketBrief(context: FetchContext): Promise<MarketBriefInputs> {
  const requests = UNIVERSE_20.map((symbol) => ({ symbol, interval: "1h", count: BARS, grace: true }) as const);
  const [series, caps, regime, fear_greed, sectors, anomalies, fees, signals] = await Promise.all([
    loadManyBars(context, requests),
    outcomeOf(fetchMarketCaps(context)),
    outcomeOf(context.ask("/regime", {}, RegimeSchema)),
    outcomeOf(context.ask("/fear-greed", {}, FearGreedSchema)),
    outcomeOf(context.ask("/sector-rotation", {}, SectorRotationSchema)),
    outcomeOf(context.ask("/anomalias", { threshold: SEVERITY_MIN }, AnomaliasSchema)),
    outcomeOf(context.ask("/mempool", {}, MempoolSchema)),
    outcomeOf(context.ask("/sinais", {}, SinaisSchema)),
  ]);
  const hours = series.flatMap((one) => (one.ok ? [one.value] : []));
  if (!hours.some(({ symbol }) => symbol === "BTC")) {
    throw toNodeError(
      series.flatMap((one) => (one.ok ? [] : [one.error])),
      "market-brief",
    );
  }
  const positioning = {
    BTC: await fetchPositioning(context, ["BTC"]),
    ETH: await fetchPositioning(context, ["ETH"]),
    SOL: await fetchPositioning(context, ["SOL"]),
  };
  const missing = listMissingBars(UNIVERSE_20, series);
  return { hours, missing, caps, regime, fear_greed, sectors, anomalies, fees, signals, positioning };
}
