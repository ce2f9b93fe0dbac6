import { type Computed, type Draft, missing, NodeError, renderTime, type Write, writeByTemplates } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { getMovingAverage, getPercentileRank, getRealisedVolatility, getTrailing } from "intel-node/quant/stats";
import { SEAT_IDS, SEATS, type SeatId, type SeatInputs, voteByRules } from "../seats/seats.ts";
import { hasQuorum, reachVerdict } from "../seats/verdict.ts";
import type { CouncilInputs } from "./fetch.ts";
import { planCouncil } from "./prose.ts";
import type { CouncilData } from "./schema.ts";

const MONTH_DAYS = 30;
const YEAR_DAYS = 365;
/** Funding is paid three times a day. */
const PAYMENTS_PER_YEAR = 1_095;
const WEIGHT_OF_ALL = SEAT_IDS.reduce((sum, id) => sum + SEATS[id], 0);

const FUNDED: Readonly<Record<string, "btc_funding_apr_pct" | "eth_funding_apr_pct" | "sol_funding_apr_pct">> = {
  BTC: "btc_funding_apr_pct",
  ETH: "eth_funding_apr_pct",
  SOL: "sol_funding_apr_pct",
};

/** Rank of the last 30-day volatility among those of a year; null with fewer bars. */
function rankVolatility(closes: readonly number[]): number | null {
  const past = getTrailing(closes, YEAR_DAYS, (until) => getRealisedVolatility(until, MONTH_DAYS));
  const last = past?.at(-1);
  return past && last !== undefined ? getPercentileRank(past, last) : null;
}

/** What the seats read of the inputs. */
export function readSeats({ symbol, series, fear_greed, regime, funding }: CouncilInputs): SeatInputs {
  const closes = series.bars.map(({ close }) => close);
  const [close, month_ago] = [closes.at(-1), closes.at(-1 - MONTH_DAYS)];
  if (close === undefined) throw new NodeError("upstream_unavailable", "There are no daily bars. Nothing was charged.");
  const field = FUNDED[symbol];
  const derivatives = funding.ok ? funding.value.data.derivatives : null;
  const apr = derivatives && field ? derivatives[field] : null;
  return {
    close,
    sma50: getMovingAverage(closes, 50),
    sma200: getMovingAverage(closes, 200),
    return_30d_pct: month_ago === undefined ? null : 100 * (close / month_ago - 1),
    fear_greed: fear_greed.ok ? fear_greed.value.data.value : null,
    funding_8h_pct: apr === null ? null : apr / PAYMENTS_PER_YEAR,
    regime: regime.ok ? regime.value.data.regime : null,
    volatility_percentile: rankVolatility(closes),
  };
}

const UNREAD = "what it reads is unknown";
const READ: Readonly<Record<SeatId, readonly (keyof SeatInputs)[]>> = {
  trend: ["close", "sma50", "sma200", "return_30d_pct"],
  sentiment: ["fear_greed"],
  derivatives: ["funding_8h_pct"],
  macro: [],
  risk: ["volatility_percentile"],
};

/**
 * The votes, the verdict by published arithmetic, and the debate in words. Pure.
 * @throws NodeError upstream_unavailable when no seat knows enough to vote.
 */
export function computeCouncil(
  inputs: CouncilInputs,
  { write = writeByTemplates }: { readonly write?: Write } = {},
): Computed<Draft<CouncilData>> {
  const read = readSeats(inputs);
  const votes = voteByRules(read);
  const weighed = SEAT_IDS.flatMap((id) => {
    const vote = votes[id];
    return vote ? [{ ...vote, weight: SEATS[id] }] : [];
  });
  const made = reachVerdict(weighed);
  if (!made) throw new NodeError("upstream_unavailable", "No seat knows enough to vote. Nothing was charged.");
  const as_of_ms = (inputs.series.bars.at(-1)?.t_ms ?? 0) + DAY_MS;
  const plan = planCouncil({ symbol: inputs.symbol, read, votes, verdict: made, as_of: renderTime(as_of_ms) });
  const { written, warnings } = write(plan);
  const { verdict, score, shares_pct, dispersion } = made;
  const quorum_met = hasQuorum(weighed, WEIGHT_OF_ALL);
  return {
    as_of_ms,
    warnings: [...(quorum_met ? [] : ["verdict: seats with less than 60 % of the weight voted"]), ...warnings],
    data: {
      symbol: inputs.symbol,
      verdict,
      score,
      basis: "rules",
      shares_pct: { ...shares_pct },
      dispersion,
      quorum_met,
      seats: SEAT_IDS.map((id) => ({
        id,
        weight: SEATS[id],
        rule: votes[id] ? { ...votes[id] } : missing(UNREAD),
        inputs: READ[id].map((name) => ({
          name,
          value: (read[name] as number | null) ?? missing("it could not be had"),
        })),
      })),
      rule_verdict: { verdict, score },
      known_share: weighed.reduce((sum, { weight }) => sum + weight, 0) / WEIGHT_OF_ALL,
      ...written,
    },
  };
}
