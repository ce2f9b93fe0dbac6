import { type Computed, type Draft, missing, renderTime } from "intel-node";
import { getMid } from "intel-node/providers/quote";
import { median } from "simple-statistics";
import { getFreshQuotes } from "../oracle/venues.ts";
import type { PythPriceInputs } from "./fetch.ts";
import { STALE_AFTER_MS } from "./limits.ts";
import type { PythPriceData } from "./schema.ts";

const VENUES_MIN = 2;
const BPS = 10_000;

/** Median of the fresh venues' middles, USD; null when fewer than two are fresh. */
function getSpotMedian({ venues, read_at_ms }: PythPriceInputs): number | null {
  const mids = getFreshQuotes(venues, read_at_ms).map(getMid);
  return mids.length < VENUES_MIN ? null : median(mids);
}

/** The oracle's own figures with its interval, age and distance from the venues. Pure. */
export function computePythPrice(inputs: PythPriceInputs): Computed<Draft<PythPriceData>> {
  const { oracle, read_at_ms } = inputs;
  const { price, conf, ema_price, ema_conf, publish_time_ms } = oracle;
  const age_ms = Math.max(0, read_at_ms - publish_time_ms);
  const age_s = Math.floor(age_ms / 1000);
  const stale = age_ms > STALE_AFTER_MS;
  const spot_median = getSpotMedian(inputs);

  const warnings: string[] = [];
  if (stale) warnings.push(`price: published ${age_s} s ago, the feed's updates are late`);
  const by = (why: string) => missing(`${why} the path ${oracle.path}`);
  const few = missing(`fewer than ${VENUES_MIN} venues gave a fresh quote`);
  return {
    // A publisher's clock can be a little ahead; nothing is dated later than its reading.
    as_of_ms: Math.min(publish_time_ms, read_at_ms),
    warnings,
    data: {
      symbol: "SOL/USD",
      feed_id: oracle.feed_id,
      price,
      conf,
      conf_bps: (conf / price) * BPS,
      lower: price - conf,
      upper: price + conf,
      lower_2conf: price - 2 * conf,
      upper_2conf: price + 2 * conf,
      exponent: oracle.exponent,
      publish_time_at: renderTime(publish_time_ms),
      age_s,
      publish_slot: oracle.publish_slot ?? by("not known on"),
      slot_kind: oracle.slot_kind ?? by("not known on"),
      ema_price: ema_price ?? by("not read by"),
      ema_conf: ema_conf ?? by("not read by"),
      verification: oracle.verification ?? by("not checked on"),
      path: oracle.path,
      account: oracle.account ?? by("there is none on"),
      context_slot: oracle.context_slot ?? by("there is none on"),
      stale,
      spot_median: spot_median ?? few,
      deviation_bps: spot_median === null ? few : (price / spot_median - 1) * BPS,
    },
  };
}
