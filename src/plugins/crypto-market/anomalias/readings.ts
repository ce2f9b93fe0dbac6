import { type Outcome, UpstreamError } from "intel-node";
import { median } from "intel-node/quant/stats";
import { computeOracleConsensus } from "../oracle-consensus/compute.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";
import { HOUR_MS } from "./candles.ts";
import { type AnomaliasInputs, STABLES } from "./fetch.ts";
import { type AnomalyFinding, type AnomalyScan, lookByBand, lookByZ, type Skipped } from "./finding.ts";
import { BANDS, FEE_SAMPLES_MIN, HISTORY_MIN, INTEREST_AGE_MAX_MS, STABLE_AGE_MAX_MS } from "./rules.ts";

const HOURS_PER_YEAR = 24 * 365;
const DAY_MS = 24 * HOUR_MS;
const PERCENT = 100;
const BPS = 10_000;

const upOrDown = (value: number): AnomalyFinding["direction"] => (value === 0 ? null : value > 0 ? "up" : "down");
const whyNot = (outcome: Outcome<unknown>): string => {
  const error = outcome.ok ? null : outcome.error;
  return `no usable answer (${error instanceof UpstreamError ? error.kind : "upstream_unavailable"})`;
};
const skip = (type: Skipped["type"], symbol: string, reason: string): AnomalyScan => ({
  findings: [],
  skipped: [{ type, symbol, reason }],
});
const join = (parts: readonly AnomalyScan[]): AnomalyScan => ({
  findings: parts.flatMap(({ findings }) => findings),
  skipped: parts.flatMap(({ skipped }) => skipped),
});
const one = (finding: AnomalyFinding): AnomalyScan => ({ findings: [finding], skipped: [] });

function lookAtFunding({ funding, read_at_ms }: AnomaliasInputs): AnomalyScan {
  if (!funding.ok) return skip("funding_extreme", "all", whyNot(funding));
  return join(
    UNIVERSE_20.map((symbol) => {
      const perpetual = funding.value.get(symbol);
      if (!perpetual) return skip("funding_extreme", symbol, "not listed");
      const apr = perpetual.rate_1h_frac * HOURS_PER_YEAR;
      return one(
        lookByBand({
          type: "funding_extreme",
          symbol,
          unit: "apr_pct",
          window_h: 0,
          started_at_ms: read_at_ms,
          note_code: "funding_high",
          size: Math.abs(apr),
          band: BANDS.funding_extreme,
          direction: upOrDown(apr),
          factor: PERCENT,
        }),
      );
    }),
  );
}

/** Hyperliquid's funding against the median of the two other venues; both are predictions of the same moment. */
function lookAtDivergence({ predicted, read_at_ms }: AnomaliasInputs): AnomalyScan {
  if (!predicted.ok) return skip("funding_divergence", "all", whyNot(predicted));
  return join(
    UNIVERSE_20.map((symbol) => {
      const rates = predicted.value.get(symbol);
      const here = rates?.get("HlPerp");
      const others = ["BinPerp", "BybitPerp"].flatMap((venue) => rates?.get(venue) ?? []);
      const elsewhere = median(others);
      if (here === undefined || elsewhere === null) return skip("funding_divergence", symbol, "not on two venues");
      const difference = (here - elsewhere) * HOURS_PER_YEAR;
      return one(
        lookByBand({
          type: "funding_divergence",
          symbol,
          unit: "apr_pct",
          window_h: 0,
          started_at_ms: read_at_ms,
          note_code: "funding_vs_other_venues",
          size: Math.abs(difference),
          band: BANDS.funding_divergence,
          direction: upOrDown(difference),
          factor: PERCENT,
        }),
      );
    }),
  );
}

/** Change of the open interest over 24 hours, in coins; hours that were not sampled are left out. */
function lookAtInterest({ interest, read_at_ms }: AnomaliasInputs): AnomalyScan {
  return join(
    UNIVERSE_20.map((symbol) => {
      const hours = interest.by_symbol.get(symbol) ?? new Map<number, number>();
      const changes = [...hours].flatMap(([at_ms, coins]) => {
        const before = hours.get(at_ms - DAY_MS);
        return before === undefined ? [] : [{ at_ms, change: Math.log(coins / before) }];
      });
      const last = changes.at(-1);
      const is_recent = last !== undefined && read_at_ms - last.at_ms <= INTEREST_AGE_MAX_MS;
      if (!is_recent) return skip("oi_jump", symbol, "no recent sample of it and of the day before");
      // Changes that reach into the last day share hours with it.
      const history = changes.filter(({ at_ms }) => at_ms <= last.at_ms - DAY_MS).map(({ change }) => change);
      const finding = lookByZ({
        type: "oi_jump",
        symbol,
        unit: "log_change_pct",
        window_h: 24,
        started_at_ms: last.at_ms - DAY_MS,
        note_code: "open_interest_vs_30d",
        history,
        x: last.change,
        show: (value) => value * PERCENT,
      });
      return finding
        ? one(finding)
        : skip("oi_jump", symbol, `${history.length} of the ${HISTORY_MIN} stored changes it takes`);
    }),
  );
}

function lookAtStables({ stables, read_at_ms }: AnomaliasInputs): AnomalyScan {
  return join(
    STABLES.map((symbol) => {
      const price = stables[symbol];
      if (!price.ok) return skip("stable_depeg", symbol, whyNot(price));
      const { publish_time_ms } = price.value;
      if (read_at_ms - publish_time_ms > STABLE_AGE_MAX_MS) return skip("stable_depeg", symbol, "the price is old");
      const off_bps = (price.value.price - 1) * BPS;
      return one(
        lookByBand({
          type: "stable_depeg",
          symbol,
          unit: "bps",
          window_h: 0,
          started_at_ms: publish_time_ms,
          note_code: "off_the_peg",
          size: Math.abs(off_bps),
          band: BANDS.stable_depeg,
          direction: upOrDown(off_bps),
          factor: 1,
        }),
      );
    }),
  );
}

function lookAtOracles({ consensus }: AnomaliasInputs): AnomalyScan {
  return join(
    consensus.map(({ symbol, inputs }) => {
      if (!inputs.ok) return skip("oracle_split", symbol, whyNot(inputs));
      try {
        const { data, as_of_ms } = computeOracleConsensus(inputs.value, symbol);
        const { range_bps, verdict } = data;
        if (typeof range_bps !== "number" || verdict === "insufficient")
          return skip("oracle_split", symbol, "too few sources");
        return one(
          lookByBand({
            type: "oracle_split",
            symbol,
            unit: "bps",
            window_h: 0,
            started_at_ms: as_of_ms,
            note_code: "sources_disagree",
            size: range_bps,
            band: BANDS.oracle_split,
            direction: null,
            factor: 1,
          }),
        );
      } catch (error) {
        return skip("oracle_split", symbol, whyNot({ ok: false, error }));
      }
    }),
  );
}

function lookAtFees({ fees, read_at_ms }: AnomaliasInputs): AnomalyScan {
  if (!fees.ok) return skip("fee_spike", "BTC", whyNot(fees));
  const { samples } = fees.value;
  const usual = median(samples);
  if (usual === null || samples.length < FEE_SAMPLES_MIN) {
    return skip("fee_spike", "BTC", `${samples.length} of the ${FEE_SAMPLES_MIN} hourly samples it takes`);
  }
  const { fastest } = fees.value.fees;
  return one(
    lookByBand({
      type: "fee_spike",
      symbol: "BTC",
      unit: "multiple",
      window_h: 0,
      started_at_ms: read_at_ms,
      note_code: "fee_vs_30d",
      size: fastest / usual,
      band: BANDS.fee_spike,
      direction: "up",
      factor: 1,
      rarity: samples.filter((sample) => sample >= fastest).length / samples.length,
    }),
  );
}

/** The six types that do not come from candles. */
export const lookAtReadings = (inputs: AnomaliasInputs): AnomalyScan =>
  join([
    lookAtFunding(inputs),
    lookAtDivergence(inputs),
    lookAtInterest(inputs),
    lookAtStables(inputs),
    lookAtOracles(inputs),
    lookAtFees(inputs),
  ]);
