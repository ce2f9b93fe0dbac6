import type { FetchContext } from "../../../catalog/context.ts";
import { type Outcome, outcomeOf } from "../../../catalog/failover.ts";
import type { Computed } from "../../../catalog/product.ts";
import { toNodeError } from "../../../core/errors.ts";
import { fetchMarketCaps } from "../../../upstream/providers/market-caps.ts";
import type { MarketCaps } from "../../../upstream/providers/market-caps-reading.ts";
import type { BarSeries } from "../../../upstream/series/bar-series.ts";
import { giveWay, loadManyBars } from "../../../upstream/series/load-bars.ts";
import { computeAnomalias } from "../anomalias/compute.ts";
import { fetchAnomalias } from "../anomalias/fetch.ts";
import type { AnomaliasData } from "../anomalias/schema.ts";
import { computeFearGreed } from "../fear-greed/compute.ts";
import { fetchFearGreed } from "../fear-greed/fetch.ts";
import type { FearGreedData } from "../fear-greed/schema.ts";
import { computeMempool } from "../mempool/compute.ts";
import { fetchMempool } from "../mempool/fetch.ts";
import type { MempoolData } from "../mempool/schema.ts";
import { computeRegimeProduct } from "../regime/compute.ts";
import { fetchRegime } from "../regime/fetch.ts";
import type { RegimeData } from "../regime/schema.ts";
import { computeSectorRotation } from "../sector-rotation/compute.ts";
import { fetchSectorRotation } from "../sector-rotation/fetch.ts";
import type { SectorRotationData } from "../sector-rotation/schema.ts";
import { citeFunding, type Positioning, readPositioning } from "../shared/derivatives/stored-funding.ts";
import { UNIVERSE_20 } from "../shared/universe.ts";
import { computeSinais } from "../sinais/compute.ts";
import { fetchSinais } from "../sinais/fetch.ts";
import type { SinaisData } from "../sinais/schema.ts";

/** A week of hours, the close before it and one more, because the newest may be missing. */
export const HOURS_PER_WEEK = 168;
const BARS = HOURS_PER_WEEK + 1;

/** Lesser oddities are not worth a brief. */
const SEVERITY_MIN = 0.5;

type Part<D> = Outcome<Computed<D>>;

export const FUNDED = ["BTC", "ETH", "SOL"] as const;

export interface MarketBriefInputs {
  /** Hourly bars of the coins that have them; BTC's are among them. */
  readonly hours: readonly BarSeries[];
  readonly caps: Outcome<MarketCaps>;
  readonly regime: Part<RegimeData>;
  readonly fear_greed: Part<FearGreedData>;
  readonly sectors: Part<SectorRotationData>;
  readonly anomalies: Part<AnomaliasData>;
  readonly fees: Part<MempoolData>;
  readonly signals: Part<SinaisData>;
  readonly positioning: Readonly<Record<(typeof FUNDED)[number], Positioning | null>>;
}

/** Another product's data of this moment, from what it and this one share: caches, stored series, upstream calls. */
function produce<I, D>(fetching: Promise<I>, compute: (inputs: I) => Computed<D>): Promise<Part<D>> {
  // One after the other, each in a turn of its own: all at once they would keep everybody else waiting.
  const work = async () => {
    const inputs = await fetching;
    await giveWay();
    return compute(inputs);
  };
  return outcomeOf(work());
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
    produce(fetchRegime(context), computeRegimeProduct),
    produce(fetchFearGreed(context), computeFearGreed),
    produce(fetchSectorRotation(context), computeSectorRotation),
    produce(fetchAnomalias(context), (inputs) => computeAnomalias(inputs, { threshold: SEVERITY_MIN })),
    produce(fetchMempool(context), computeMempool),
    produce(fetchSinais(context), computeSinais),
  ]);
  const hours = series.flatMap((one) => (one.ok ? [one.value] : []));
  if (!hours.some(({ symbol }) => symbol === "BTC")) {
    throw toNodeError(
      series.flatMap((one) => (one.ok ? [] : [one.error])),
      "market-brief",
    );
  }
  const positioning = {
    BTC: await readPositioning(context, ["BTC"]),
    ETH: await readPositioning(context, ["ETH"]),
    SOL: await readPositioning(context, ["SOL"]),
  };
  const sampled = Object.values(positioning).find((one) => one !== null);
  if (sampled) citeFunding(context, sampled.fetched_at_ms);
  return { hours, caps, regime, fear_greed, sectors, anomalies, fees, signals, positioning };
}
