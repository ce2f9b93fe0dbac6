import type { Records } from "intel-node";
import { HORIZON_H, type Side } from "./model.ts";
import { readRecentEvaluations, readSignal, SIGNALS } from "./signal-records.ts";

const HOUR_MS = 3_600_000;
const SYMBOL = "BTC";
/** Closes looked at: a node that was down for a week still shows its last one. */
const EVALUATIONS_READ = 60;

/** Bitcoin's score of a day ago, as the ledger has it. */
export interface AlphaScore {
  readonly symbol: string;
  readonly alpha: number;
  readonly confidence: number;
  /** Null when the score was too near to 50 for a signal. */
  readonly side: Side | null;
  readonly bar_close_at: string;
  readonly factors: readonly { readonly name: string; readonly value: number | null }[];
  /** Null when no signal was given, or when no source had prices to grade it. */
  readonly outcome: { readonly net_bps: number; readonly hit: boolean } | null;
  /** Of the signal; null when none was given. */
  readonly record_hash: string | null;
  readonly chain_head: string;
}

/**
 * The newest evaluation of Bitcoin whose horizon has ended, and whose signal, if it gave one, is graded: worth nothing
 * to a trader, and to be checked by anybody. Null before the first.
 */
export async function readAlphaScore(records: Records, now_ms: number): Promise<AlphaScore | null> {
  const ended = (await readRecentEvaluations({ records }, EVALUATIONS_READ)).filter(
    ({ record }) => Date.parse(record.evaluated_at) + HORIZON_H * HOUR_MS <= now_ms,
  );
  for (const { record, tables } of ended.toReversed()) {
    const coin = record.coins.find(({ symbol }) => symbol === SYMBOL);
    if (!coin) continue;
    const [stored] =
      coin.signal_seq === null ? [] : await records.read(SIGNALS, { after_seq: coin.signal_seq - 1, limit: 1 });
    const signal = stored ? readSignal(stored) : null;
    // Its exit hour is over a little later than a day after it was written.
    if (signal && signal.outcome === null) continue;
    const outcome = signal?.outcome ?? null;
    return {
      symbol: SYMBOL,
      alpha: Number(coin.alpha),
      confidence: coin.confidence,
      side: signal?.record.side ?? null,
      bar_close_at: record.bar_close_at,
      factors: (tables.get(SYMBOL)?.factors ?? []).map(({ name, value }) => ({
        name,
        value: value === null ? null : Number(value),
      })),
      outcome: outcome?.status === "scored" ? { net_bps: Number(outcome.net_bps), hit: outcome.hit } : null,
      record_hash: signal?.record_hash ?? null,
      chain_head: (await records.head(SIGNALS)).head,
    };
  }
  return null;
}
