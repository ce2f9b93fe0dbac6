import { product } from "../../src/plugins/crypto-market/win-rate-verified/product.ts";
import type { WinRateData } from "../../src/plugins/crypto-market/win-rate-verified/schema.ts";
import { logOutcomes, readHistoryTrees } from "../../src/records/history-trees.ts";
import { createMemoryRecords } from "../../src/records/memory-records.ts";
import { hashRecord, type RecordBody, type WritableRecords } from "../../src/records/record-chain.ts";
import { runProduct } from "./product-harness.ts";
import { createStillClock } from "./still-clock.ts";

const HOUR_MS = 3_600_000;
/** A signal an hour from here on. */
const START_MS = Date.parse("2026-01-01T00:02:00Z");
const SYMBOLS = ["BTC", "ETH", "SOL", "LINK"];
/** The newest ones are open still. */
const OPEN = 5;
/** One in so many cannot be graded. */
const UNSCORABLE_EVERY = 40;

const LOGGED_EVERY = 97;

const time = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
const renderBps = (value: number): string => value.toFixed(1).replace(/^-(0\.0)$/, "$1");

/** An outcome as the node states it: what the prices come to, or that there were none. */
export function stateOutcome(record: RecordBody, record_hash: string, exit_price: string | null): RecordBody {
  const { seq, side, horizon_h, cost_bps } = record;
  const stated = { v: 1, seq: Number(seq), record_hash };
  if (exit_price === null) return { ...stated, status: "unscorable", reason: "no hourly prices" };
  const entry_ms = (Math.floor(Date.parse(String(record.emitted_at)) / HOUR_MS) + 1) * HOUR_MS;
  const gross_bps = renderBps((side === "long" ? 1 : -1) * (Number(exit_price) / 100 - 1) * 10_000);
  const net_bps = renderBps(Number(gross_bps) - Number(cost_bps));
  return {
    ...stated,
    status: "scored",
    entry_at: time(entry_ms),
    entry_price: "100.0",
    exit_at: time(entry_ms + Number(horizon_h) * HOUR_MS),
    exit_price,
    price_source: "hyperliquid:BTC:1h",
    gross_bps,
    net_bps,
    hit: Number(net_bps) > 0,
  };
}

/** A chain of that many signals as the jobs write one: the last few open, some without prices, the others graded. */
export async function createLongHistory(
  length: number,
  alpha = "66.4",
): Promise<{ records: WritableRecords; now_ms: number }> {
  const clock = createStillClock(START_MS);
  const records = createMemoryRecords(clock.now);
  for (let index = 0; index < length; index++) {
    clock.set(START_MS + index * HOUR_MS);
    const symbol = SYMBOLS[index % SYMBOLS.length] ?? "BTC";
    const table = { model_id: "alpha-v1", symbol, bar_close_at: time(START_MS + index * HOUR_MS), factors: [] };
    const signal = {
      v: 1,
      model_id: "alpha-v1",
      model_hash: "a".repeat(64),
      symbol,
      side: index % 3 === 0 ? "short" : "long",
      alpha,
      confidence: 20 + ((index * 7) % 80),
      bar_close_at: table.bar_close_at,
      emitted_at: table.bar_close_at,
      ref_price: "100.0",
      features_hash: hashRecord(table),
      horizon_h: 24,
      cost_bps: "20.0",
    };
    await records.append("signals", (link) => ({ ...signal, ...link }), table);
  }
  const last = length - OPEN;
  clock.set(START_MS + (length + 30) * HOUR_MS);
  // As grading goes: not quite in the order of the chain.
  const order = Array.from({ length: last }, (_, index) => Math.min(last, index + 1 + ((index * 3) % 40)));
  const rows = records.all().get("signals") ?? [];
  for (const seq of new Set([...order, ...Array.from({ length: last }, (_, index) => index + 1)])) {
    const row = rows[seq - 1];
    if (!row) throw new Error(`there is no record ${seq}`);
    const exit_price = seq % UNSCORABLE_EVERY === 0 ? null : (97 + ((seq * 13) % 61) / 10).toFixed(1);
    await records.settle({ chain: "signals", seq, outcome: stateOutcome(row.record, row.record_hash, exit_price) });
    // Logged hour by hour: the log is not in the order of the chain.
    if (seq % LOGGED_EVERY === 0) await logOutcomes(records, "signals");
  }
  await logOutcomes(records, "signals");
  return { records, now_ms: clock.now() };
}

/** What a buyer of the record gets, by the product's own code. */
export async function sellHistory(
  { records, now_ms }: Awaited<ReturnType<typeof createLongHistory>>,
  shown: number,
): Promise<WinRateData> {
  const { data } = await runProduct(product, { now_ms, bodies: {}, records, params: { records: shown } });
  return structuredClone(data) as WinRateData;
}

/** All records as /track-record/evidence shows them. */
export async function listEvidence(records: WritableRecords, chain_name = "signals") {
  const { placeOf, chain } = await readHistoryTrees(records, chain_name);
  const rows = [];
  for (let after_seq = 0; after_seq < chain.length; after_seq += 1_000) {
    for (const { seq, record, record_hash, outcome } of await records.read(chain_name, { after_seq })) {
      const stated = { outcome: outcome?.outcome ?? null, outcome_hash: outcome?.outcome_hash ?? null };
      rows.push({ seq, record, record_hash, ...stated, outcome_seq: placeOf(seq) ?? null });
    }
  }
  return structuredClone(rows);
}
