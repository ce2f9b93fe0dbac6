import { type JobContext, type RecordBody, renderTime } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { type BarSeries, readBars } from "intel-node/series/bar-series";
import { renderDecimal, renderPrice } from "../signals/signal-records.ts";
import { readVotes, type StoredVotes, VOTES, type VoteRecordData } from "./vote-records.ts";

const BPS = 10_000;
/** The exit's bar closes a day after its open; without prices three days later the votes are never scored. */
const UNSCORABLE_AFTER_MS = 4 * DAY_MS;
const OPEN_MAX = 1_000;
const BARS_WANTED = 400;

/** Entry is the first daily open strictly after the votes were written; exit the open `horizon_d` days later. */
function getVoteSpan({ emitted_at, horizon_d }: Pick<VoteRecordData, "emitted_at" | "horizon_d">) {
  const entry_ms = (Math.floor(Date.parse(emitted_at) / DAY_MS) + 1) * DAY_MS;
  return { entry_ms, exit_ms: entry_ms + horizon_d * DAY_MS };
}

/** What became of one day's votes on one coin by these bars; null when they do not hold both opens. */
export function scoreBallot(
  { record, record_hash }: StoredVotes,
  { bars, provider }: Pick<BarSeries, "bars" | "provider">,
): RecordBody | null {
  const { entry_ms, exit_ms } = getVoteSpan(record);
  const entry = bars.find(({ t_ms }) => t_ms === entry_ms);
  const exit = bars.find(({ t_ms }) => t_ms === exit_ms);
  if (!entry || !exit) return null;
  const gross_bps = renderDecimal((exit.open / entry.open - 1) * BPS, 1);
  const cast = Object.entries(record.votes).filter(([, vote]) => vote !== 0);
  const hasWon = (vote: number): boolean => vote * Number(gross_bps) - Number(record.cost_bps) > 0;
  return {
    v: 1,
    seq: record.seq,
    record_hash,
    status: "scored",
    entry_at: renderTime(entry_ms),
    entry_price: renderPrice(entry.open),
    exit_at: renderTime(exit_ms),
    exit_price: renderPrice(exit.open),
    price_source: `${provider}:${record.symbol}:1d`,
    gross_bps,
    wins: cast.filter(([, vote]) => hasWon(vote)).map(([id]) => id),
    losses: cast.filter(([, vote]) => !hasWon(vote)).map(([id]) => id),
  };
}

/** States what became of the votes whose seven days are over, from stored daily bars of one provider. */
export async function scoreVotes(context: JobContext): Promise<void> {
  const { records, now_ms } = context;
  for (const stored of await records.read(VOTES, { open: true, limit: OPEN_MAX })) {
    const votes = readVotes(stored);
    const { seq, symbol } = votes.record;
    const { exit_ms } = getVoteSpan(votes.record);
    // The bar that opens at the exit must have closed.
    if (now_ms < exit_ms + DAY_MS) continue;
    const series = await readBars(context, { symbol, interval: "1d", count: BARS_WANTED, count_min: 1, grace: true });
    const outcome = series && scoreBallot(votes, series);
    if (outcome) await records.settle({ chain: VOTES, seq, outcome });
    else if (now_ms >= exit_ms + UNSCORABLE_AFTER_MS) {
      const { record_hash } = votes;
      const reason = "no daily bars with both opens were stored within 72 h";
      await records.settle({ chain: VOTES, seq, outcome: { v: 1, seq, record_hash, status: "unscorable", reason } });
    }
  }
}
