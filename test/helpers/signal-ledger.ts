import { logOutcomes } from "../../src/records/history-trees.ts";
import { createMemoryRecords } from "../../src/records/memory-records.ts";
import { hashRecord, type RecordBody, type WritableRecords } from "../../src/records/record-chain.ts";
import { createStillClock } from "./still-clock.ts";

interface PublishedSignal {
  readonly symbol: string;
  readonly side: string;
  readonly alpha: string;
  readonly confidence: number;
  readonly bar_close_at: string;
  readonly emitted_at: string;
  readonly ref_price: string;
  readonly letter: string;
  readonly outcome: RecordBody;
}

const day = { entry_at: "2026-11-01T01:00:00Z", exit_at: "2026-11-02T01:00:00Z" };
const midnight = { bar_close_at: "2026-11-01T00:00:00Z", emitted_at: "2026-11-01T00:02:07Z" };

/** Three signals and their outcomes with published hashes. */
const PUBLISHED: readonly PublishedSignal[] = [
  {
    ...midnight,
    symbol: "BTC",
    side: "long",
    alpha: "66.4",
    confidence: 33,
    ref_price: "64000.0",
    letter: "b",
    outcome: {
      ...day,
      entry_price: "64010.0",
      exit_price: "64960.0",
      price_source: "hyperliquid:BTC:1h",
      gross_bps: "148.4",
      net_bps: "128.4",
      hit: true,
    },
  },
  {
    ...midnight,
    symbol: "ETH",
    side: "short",
    alpha: "37.0",
    confidence: 26,
    ref_price: "2000.0",
    letter: "c",
    outcome: {
      ...day,
      entry_price: "2000.0",
      exit_price: "2030.0",
      price_source: "hyperliquid:ETH:1h",
      gross_bps: "-150.0",
      net_bps: "-170.0",
      hit: false,
    },
  },
  {
    symbol: "SOL",
    side: "long",
    alpha: "71.0",
    confidence: 42,
    bar_close_at: "2026-11-01T04:00:00Z",
    emitted_at: "2026-11-01T04:02:03Z",
    ref_price: "150.00",
    letter: "d",
    outcome: {
      entry_at: "2026-11-01T05:00:00Z",
      entry_price: "150.00",
      exit_at: "2026-11-02T05:00:00Z",
      exit_price: "153.00",
      price_source: "hyperliquid:SOL:1h",
      gross_bps: "200.0",
      net_bps: "180.0",
      hit: true,
    },
  },
];

export const PUBLISHED_HEAD = "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69";

const FACTORS = [
  { name: "mom_7d", value: "0.500000", weight: "0.20", contribution: "5.000000" },
  { name: "regime", value: null, weight: "0.10", contribution: null },
];

/** The published ledger, with its outcomes or while all three signals are open. */
export async function createPublishedLedger({ scored }: { readonly scored: boolean }): Promise<WritableRecords> {
  const clock = createStillClock(0);
  const records = createMemoryRecords(clock.now);
  const fixed = { v: 1, model_id: "alpha-v1", model_hash: "a".repeat(64), horizon_h: 24, cost_bps: "20.0" };
  for (const { letter, outcome, ...signal } of PUBLISHED) {
    clock.set(Date.parse(signal.emitted_at));
    const { symbol, bar_close_at } = signal;
    const table = { model_id: "alpha-v1", symbol, bar_close_at, factors: FACTORS };
    const features_hash = letter.repeat(64);
    await records.append("signals", (link) => ({ ...fixed, ...signal, features_hash, ...link }), table);
  }
  if (!scored) return records;
  clock.set(Date.parse("2026-11-02T06:10:00Z"));
  for (const { seq, record_hash } of await records.read("signals")) {
    const outcome = PUBLISHED[seq - 1]?.outcome ?? {};
    await records.settle({ chain: "signals", seq, outcome: { v: 1, seq, record_hash, status: "scored", ...outcome } });
  }
  await logOutcomes(records, "signals");
  return records;
}

/** Whether every record of a chain hashes and links as it says. */
export async function isWholeChain(records: WritableRecords, chain: string): Promise<boolean> {
  const all = await records.read(chain);
  return all.every(({ record, record_hash, outcome }, index) => {
    const before = all[index - 1];
    const is_linked = before === undefined ? record.seq === 1 : record.prev_hash === before.record_hash;
    const is_graded = outcome === null || outcome.outcome_hash === hashRecord(outcome.outcome);
    return is_linked && is_graded && hashRecord(record) === record_hash;
  });
}
