import {
  type FetchContext,
  type HistoryMoment,
  type HistoryProof,
  NodeError,
  type Records,
  readHistoryMoment,
  renderRecord,
  renderTime,
  type Writing,
  writeBlocks,
} from "intel-node";
import { readCoinHeadlines } from "../news/coin-headlines.ts";
import { asOf, getOutcomesRoot, MODEL_ID, readTheses, type StoredThesis, THESES } from "../theses/records.ts";
import { planThesis } from "./prose.ts";
import { RECORDS, type ThesisData } from "./schema.ts";

const DAY_MS = 86_400_000;
/** First mark of the job that writes theses, after midnight UTC. */
const MADE_AT_MS = (23 * 60 + 20) * 60_000;

export interface ThesisInputs {
  /** The newest thesis: its records, by horizon. */
  readonly thesis: readonly StoredThesis[];
  /** As many of the newest graded records as are asked for, newest first, with their places in the log of outcomes. */
  readonly graded: readonly (StoredThesis & { readonly outcome_seq: number })[];
  /** The proof from them to the signed roots; null when no record is shown. */
  readonly proof: HistoryProof | null;
  readonly payload: ThesisData["payload"];
  readonly payload_canonical: string;
  readonly signature: string;
  readonly writing: Writing;
}

interface Moment {
  readonly records: Records;
  readonly now_ms: number;
}

/** When the first thesis is due; null when there is one. */
export async function findFirstThesis({ records, now_ms }: Moment): Promise<number | null> {
  if ((await records.head(THESES)).length > 0) return null;
  const today_ms = Math.floor(now_ms / DAY_MS) * DAY_MS + MADE_AT_MS;
  return today_ms > now_ms ? today_ms : today_ms + DAY_MS;
}

const renderShare = (k: number, n: number): string | null => (n === 0 ? null : (k / n).toFixed(4));

/** What all theses of this node came to. */
function createPayload(
  { signer, now_ms }: FetchContext,
  { chain, records_root, outcome_log_size, outcome_log_root }: HistoryMoment,
  all: readonly StoredThesis[],
): ThesisData["payload"] {
  const outcomes = all.flatMap(({ outcome }) => outcome ?? []);
  const n_open = all.filter(({ is_open }) => is_open).length;
  const sum = outcomes.reduce((total, { net_bps }) => total + Number(net_bps), 0);
  const wins = outcomes.filter(({ hit }) => hit).length;
  const within = outcomes.filter(({ in_1sigma }) => in_1sigma).length;
  return {
    v: 2,
    kind: "theses",
    node_id: signer.node_id,
    key_id: signer.key_id,
    model_id: MODEL_ID,
    generated_at: renderTime(Math.floor(now_ms / 1_000) * 1_000),
    chain_head: chain.head,
    chain_length: chain.length,
    outcomes_root: getOutcomesRoot(all),
    records_root,
    outcome_log_size,
    outcome_log_root,
    n_scored: outcomes.length,
    n_open,
    n_unscorable: all.length - outcomes.length - n_open,
    wins,
    sum_net_bps: sum.toFixed(1).replace(/^-(0\.0)$/, "$1"),
    hit_rate: renderShare(wins, outcomes.length),
    band_1sigma_coverage: renderShare(within, outcomes.length),
  };
}

/**
 * The newest thesis, the signed record of all, and the thesis in words.
 * @throws NodeError no_history before the first one.
 */
export async function fetchThesis(
  context: FetchContext,
  { records: shown = RECORDS.default }: { readonly records?: number } = {},
): Promise<ThesisInputs> {
  const { records, signer, now_ms, model } = context;
  const opens_ms = await findFirstThesis(context);
  const moment = await readHistoryMoment(records, THESES);
  const all = asOf(moment, await readTheses(records));
  const newest = all.at(-1);
  if (opens_ms !== null || !newest) {
    const due_ms = opens_ms ?? now_ms;
    throw new NodeError("no_history", `The first thesis is made at ${renderTime(due_ms)}. Nothing was charged.`, {
      retry_after_s: Math.max(60, Math.ceil((due_ms - now_ms) / 1_000)),
    });
  }
  const thesis = all.filter(({ record }) => record.thesis_id === newest.record.thesis_id);
  const payload = createPayload(context, moment, all);
  const payload_canonical = renderRecord(payload);
  const texts = await readCoinHeadlines(context, newest.record.symbol);
  const graded = shown === 0 ? [] : all.filter(({ outcome }) => outcome !== null).slice(-shown);
  return {
    thesis,
    payload,
    payload_canonical,
    signature: signer.sign("theses", payload_canonical),
    graded: graded.toReversed().map((one) => ({ ...one, outcome_seq: moment.placeOf(one.record.seq) ?? 0 })),
    proof: moment.prove(graded.map(({ record }) => record.seq)),
    writing: await writeBlocks(planThesis({ thesis, payload, texts }), model),
  };
}
