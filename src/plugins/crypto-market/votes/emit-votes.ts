import { hashRecord, type JobContext, type RecordDraft, renderTime } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { renderDecimal, renderPrice } from "../signals/signal-records.ts";
import { type Ballot, castBallots, fetchBallotInputs } from "./ballots.ts";
import { getVoterWeight, tallyVotes } from "./tally.ts";
import { getTrackKey, getTrackRecords, readRecentVotes, type StoredVotes, VOTES } from "./vote-records.ts";
import { COST_BPS, HORIZON_D, MODEL_HASH, MODEL_ID } from "./voters.ts";

/** Votes written later than this would be made with hindsight: they are missed instead. */
const LATE_AFTER_MS = 1_800_000;
const VALUE_DECIMALS = 6;

function createDraft(
  ballot: Ballot,
  votes: readonly StoredVotes[],
  times: { close_ms: number; now_ms: number },
): RecordDraft {
  const { symbol, voters, close } = ballot;
  const tracks = getTrackRecords(votes);
  const weighted = voters.map(({ id, vote }) => {
    const track = tracks.get(getTrackKey(symbol, id)) ?? { scored_n: 0, wins: 0 };
    return { id, vote, weight: getVoterWeight(track) };
  });
  const features = Object.fromEntries(
    voters.map(({ id, value }) => [id, value === null ? null : renderDecimal(value, VALUE_DECIMALS)]),
  );
  const fixed = {
    v: 1,
    model_id: MODEL_ID,
    model_hash: MODEL_HASH,
    symbol,
    bar_close_at: renderTime(times.close_ms),
    emitted_at: renderTime(Math.floor(times.now_ms / 1000) * 1000),
    ref_price: renderPrice(close ?? Number.NaN),
    horizon_d: HORIZON_D,
    cost_bps: COST_BPS,
    votes: Object.fromEntries(voters.map(({ id, vote }) => [id, vote])),
    verdict: tallyVotes(weighted).verdict,
    features_hash: hashRecord(features),
  };
  return { chain: VOTES, beside: features, build: (link) => ({ ...fixed, ...link }) };
}

/**
 * Writes the day's votes of every coin whose newest bar closed at midnight, all at once, within half an hour. Coins
 * that were written already are left alone; what is late stays missed.
 */
export async function emitVotes(context: JobContext): Promise<void> {
  const { now_ms } = context;
  const close_ms = Math.floor(now_ms / DAY_MS) * DAY_MS;
  if (now_ms - close_ms > LATE_AFTER_MS) return;
  const votes = await readRecentVotes(context);
  const done = votes.filter(({ record }) => record.bar_close_at === renderTime(close_ms));
  const { today } = await fetchBallotInputs(context, { grace: false });
  const ballots = castBallots(today).filter(({ bar_close_at_ms }) => bar_close_at_ms === close_ms);
  const due = ballots.filter(({ symbol }) => !done.some(({ record }) => record.symbol === symbol));
  if (ballots.length === 0) throw new Error(`no daily bars up to ${renderTime(close_ms)}`);
  await context.records.appendAll(due.map((ballot) => createDraft(ballot, votes, { close_ms, now_ms })));
}
