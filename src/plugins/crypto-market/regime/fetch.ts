import type { FetchContext } from "../../../catalog/context.ts";
import { type BarSeries, citeBars, readBars } from "../../../upstream/series/bar-series.ts";
import { giveWay } from "../../../upstream/series/load-bars.ts";
import { type LoadedRegime, loadRegimeInputs } from "../shared/regime/load.ts";
import { getTrack, getTurbulence } from "./daily.ts";
import { TRACK_BARS_MAX, TRACK_BARS_MIN } from "./track.ts";

export interface RegimeProductInputs {
  readonly market: LoadedRegime;
  /** Years of Bitcoin's bars; null when the node has none stored. They are too many to fetch for one call. */
  readonly years: BarSeries | null;
}

/** @throws NodeError when Bitcoin's daily bars are not to be had. */
export async function fetchRegime(context: FetchContext): Promise<RegimeProductInputs> {
  const market = await loadRegimeInputs(context);
  const years = readBars(context, {
    symbol: "BTC",
    interval: "1d",
    count: TRACK_BARS_MAX,
    count_min: TRACK_BARS_MIN,
    grace: true,
  });
  if (years) citeBars(context, [years]);
  // Each takes some milliseconds once a day; done here, with others' turns in between, compute finds them ready.
  await giveWay();
  getTurbulence(market.bitcoin);
  await giveWay();
  getTrack(years);
  await giveWay();
  return { market, years };
}
