import { type FetchContext, type Outcome, outcomeOf } from "intel-node";
import { deribit } from "intel-node/providers/deribit/provider";
import { fetchVolatilityIndex, type VolatilityDay } from "intel-node/providers/deribit/volatility-index";
import { type BarSeries, citeBars, readBars } from "intel-node/series/bar-series";
import { yieldToEventLoop } from "intel-node/series/load-bars";
import { type LoadedRegime, loadRegimeInputs } from "../regimes/load.ts";
import { getTrack, getTurbulence } from "./daily.ts";
import { TRACK_BARS_MAX, TRACK_BARS_MIN } from "./track.ts";

export interface RegimeProductInputs {
  readonly market: LoadedRegime;
  /** Years of Bitcoin's bars; null when none are stored. They are too many to fetch for one call. */
  readonly years: BarSeries | null;
  /** Implied volatility of Bitcoin by closed days; null without a licence for its only publisher. */
  readonly implied: Outcome<readonly VolatilityDay[]> | null;
}

/** The day of the newest bar, which can be missing, the one before, and those of the preview. */
const IMPLIED_DAYS = 5;

const fetchImplied = async (context: FetchContext): Promise<RegimeProductInputs["implied"]> =>
  context.usable(deribit) ? outcomeOf(fetchVolatilityIndex(context, { currency: "BTC", days: IMPLIED_DAYS })) : null;

/** @throws NodeError when Bitcoin's daily bars are unavailable. */
export async function fetchRegime(context: FetchContext): Promise<RegimeProductInputs> {
  const [market, implied] = await Promise.all([loadRegimeInputs(context), fetchImplied(context)]);
  const years = await readBars(context, {
    symbol: "BTC",
    interval: "1d",
    count: TRACK_BARS_MAX,
    count_min: TRACK_BARS_MIN,
    grace: true,
  });
  if (years) citeBars(context, [years]);
  // Each takes some milliseconds once a day; done here, with others' turns in between, compute finds them ready.
  await yieldToEventLoop();
  getTurbulence(market.bitcoin);
  await yieldToEventLoop();
  getTrack(years);
  await yieldToEventLoop();
  return { market, years, implied };
}
