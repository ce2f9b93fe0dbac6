import { type FetchContext, renderRecord, renderTime } from "intel-node";
import { BAR_AGE_MAX_MS, EVALUATION_MS, getLastClose } from "../shared/signals/emit.ts";
import { type HistoryEntry, readHistory, type SignalHistory } from "../shared/signals/history.ts";
import { MODEL_ID } from "../shared/signals/model.ts";
import { assertOpen, getFirstGrade } from "../shared/signals/opening.ts";
import { computePerformance } from "../shared/signals/performance.ts";
import { EVALUATIONS, readRecentSignals, type StoredSignal } from "../shared/signals/signal-records.ts";
import { createStatement, STATEMENT_KIND } from "../shared/signals/statement.ts";
import { RECORDS } from "./schema.ts";

const HOUR_MS = 3_600_000;
/** Open and unscorable ones lie among them. */
const SIGNALS_READ = 2 * RECORDS.max;

export interface WinRateInputs {
  readonly at_ms: number;
  readonly history: SignalHistory;
  /** Entries of the present model. */
  readonly entries: readonly HistoryEntry[];
  /** Newest graded signals, newest first. */
  readonly newest: readonly StoredSignal[];
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

/**
 * Reads the whole record and signs what it comes to. Calls nobody.
 * @throws NodeError no_history before the first signal is graded.
 */
export async function fetchWinRate(context: FetchContext): Promise<WinRateInputs> {
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
    chain: history.chain,
    outcomes_root: history.outcomes_root,
    counts: { n_emitted: entries.length, n_open: countOf("open"), n_unscorable: countOf("unscorable") },
    performance: computePerformance(entries.flatMap(({ graded }) => (graded ? [graded] : []))),
  });
  const payload_canonical = renderRecord(payload);
  const newest = (await readRecentSignals(context, { limit: SIGNALS_READ })).filter(
    (one) => one.outcome?.status === "scored",
  );
  return {
    at_ms: now_ms,
    history,
    entries,
    newest: newest.slice(-RECORDS.max).reverse(),
    missed_evaluations: await countMissed(context),
    payload,
    payload_canonical,
    signature: signer.sign(STATEMENT_KIND, payload_canonical),
    public_key: signer.public_key,
    key_id: signer.key_id,
  };
}
