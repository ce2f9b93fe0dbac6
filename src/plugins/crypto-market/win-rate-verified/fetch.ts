import { type FetchContext, type HistoryProof, renderRecord, renderTime } from "intel-node";
import { BAR_AGE_MAX_MS, EVALUATION_MS, getLastClose } from "../signals/emit.ts";
import { asOf, type HistoryEntry, readHistory, type SignalHistory } from "../signals/history.ts";
import { MODEL_ID } from "../signals/model.ts";
import { assertOpen, getFirstGrade } from "../signals/opening.ts";
import { computePerformance } from "../signals/performance.ts";
import { EVALUATIONS, readRecentSignals, type StoredSignal } from "../signals/signal-records.ts";
import { createStatement, STATEMENT_KIND } from "../signals/statement.ts";
import { RECORDS } from "./schema.ts";

const HOUR_MS = 3_600_000;
/** Open and unscorable ones lie among them. */
const SIGNALS_READ = 2 * RECORDS.max;

export interface WinRateInputs {
  readonly at_ms: number;
  /** Time of the newest record or outcome, ms; null before the first. */
  readonly changed_at_ms: number | null;
  /** Entries of the present model. */
  readonly entries: readonly HistoryEntry[];
  /** As many of the newest graded signals as are asked for, newest first, with their places in the log of outcomes. */
  readonly newest: readonly (StoredSignal & { readonly outcome_seq: number })[];
  /** The proof from them to the signed roots; null when not requested. */
  readonly proof: HistoryProof | null;
  readonly missed_evaluations: number | null;
  readonly payload: ReturnType<typeof createStatement>;
  readonly payload_canonical: string;
  readonly signature: string;
  readonly public_key: string;
  readonly key_id: string;
}

/** Closes since the first evaluation that nothing was written for, though their time is over. */
async function countMissed({ records, now_ms }: FetchContext): Promise<number | null> {
  const [first] = await records.read(EVALUATIONS, { limit: 1 });
  const [last] = await records.read(EVALUATIONS, { limit: 1, newest: true });
  if (!first || !last) return null;
  const closeOf = ({ record }: typeof first): number => Date.parse(String(record.bar_close_at));
  const over_ms = Math.max(closeOf(last), getLastClose(now_ms - BAR_AGE_MAX_MS));
  return Math.max(0, (over_ms - closeOf(first)) / EVALUATION_MS + 1 - last.seq);
}

/** The newest graded signals as the moment knows them, newest first. */
async function readNewest(context: FetchContext, { moment }: SignalHistory, limit: number) {
  if (limit === 0) return [];
  const recent = await readRecentSignals(context, { limit: SIGNALS_READ });
  return recent
    .filter(({ record }) => record.seq <= moment.chain.length)
    .map((signal) => asOf(moment, signal))
    .flatMap((signal) => {
      const outcome_seq = moment.placeOf(signal.record.seq);
      return signal.outcome?.status === "scored" && outcome_seq !== undefined ? [{ ...signal, outcome_seq }] : [];
    })
    .slice(-limit)
    .reverse();
}

/**
 * Reads the whole record and signs its totals. Makes no calls.
 * @throws NodeError no_history before the first signal is graded.
 */
export async function fetchWinRate(
  context: FetchContext,
  { records = RECORDS.default }: { readonly records?: number } = {},
): Promise<WinRateInputs> {
  const { now_ms, signer } = context;
  const history = await readHistory(context);
  const entries = history.entries.filter(({ model_id }) => model_id === MODEL_ID);
  assertOpen(getFirstGrade(entries, now_ms), { what: "The first signal is graded", now_ms });
  const countOf = (status: HistoryEntry["status"]) => entries.filter((entry) => entry.status === status).length;
  const payload = createStatement({
    node_id: signer.node_id,
    key_id: signer.key_id,
    model_id: MODEL_ID,
    generated_at: renderTime(Math.floor(now_ms / 1000) * 1000),
    window_from: entries[0]?.bar_close_at ?? null,
    window_to: renderTime(Math.floor(now_ms / HOUR_MS) * HOUR_MS),
    moment: history.moment,
    outcomes_root: history.outcomes_root,
    counts: { n_emitted: entries.length, n_open: countOf("open"), n_unscorable: countOf("unscorable") },
    performance: computePerformance(entries.flatMap(({ graded }) => (graded ? [graded] : []))),
  });
  const payload_canonical = renderRecord(payload);
  const newest = await readNewest(context, history, records);
  return {
    at_ms: now_ms,
    changed_at_ms: history.changed_at_ms,
    entries,
    newest,
    proof: history.moment.prove(newest.map(({ record }) => record.seq)),
    missed_evaluations: await countMissed(context),
    payload,
    payload_canonical,
    signature: signer.sign(STATEMENT_KIND, payload_canonical),
    public_key: signer.public_key,
    key_id: signer.key_id,
  };
}
