import { describe, expect, test } from "bun:test";
import { createPublishedLedger, PUBLISHED_HEAD } from "../../../../test/helpers/signal-ledger.ts";
import type { WritableRecords } from "../../../records/record-chain.ts";
import { readAlphaScore } from "./alpha-score.ts";

const HASH = "a".repeat(64);

/** Bitcoin's evaluation of a close, two minutes after it. */
async function evaluate(
  records: WritableRecords,
  { hour, alpha, signal_seq }: { hour: number; alpha: string; signal_seq: number | null },
): Promise<void> {
  const at = (minute: string) => `2026-11-01T${String(hour).padStart(2, "0")}:${minute}:00Z`;
  const coin = { symbol: "BTC", alpha, confidence: 8, ref_price: "64000", features_hash: HASH, signal_seq };
  const factors = [{ name: "mom_7d", value: "-0.132371", weight: "0.20", contribution: "-1.323710" }];
  await records.append(
    "alpha-evaluations",
    (link) => ({
      v: 1,
      model_id: "alpha-v1",
      model_hash: HASH,
      bar_close_at: at("00"),
      evaluated_at: at("02"),
      coins: [coin],
      missing: [],
      ...link,
    }),
    [{ model_id: "alpha-v1", symbol: "BTC", bar_close_at: at("00"), factors }],
  );
}

/** The close at 00:00 gave the published signal, the one at 04:00 none. */
async function createRecords(scored: boolean): Promise<WritableRecords> {
  const records = await createPublishedLedger({ scored });
  await evaluate(records, { hour: 0, alpha: "66.4", signal_seq: 1 });
  await evaluate(records, { hour: 4, alpha: "54.3", signal_seq: null });
  return records;
}
const read = (records: WritableRecords, at: string) => readAlphaScore(records, Date.parse(at));

describe("the free score", () => {
  test("is the newest that is a day old, never a fresher one", async () => {
    const records = await createRecords(true);
    expect(await read(records, "2026-11-02T00:01:59Z")).toBeNull();
    expect((await read(records, "2026-11-02T00:02:00Z"))?.bar_close_at).toBe("2026-11-01T00:00:00Z");
    expect((await read(records, "2026-11-02T04:01:59Z"))?.bar_close_at).toBe("2026-11-01T00:00:00Z");
    expect((await read(records, "2026-11-02T04:02:00Z"))?.bar_close_at).toBe("2026-11-01T04:00:00Z");
  });

  test("names the record of a signal and what became of it", async () => {
    expect(await read(await createRecords(true), "2026-11-02T02:10:00Z")).toEqual({
      symbol: "BTC",
      alpha: 66.4,
      confidence: 8,
      side: "long",
      bar_close_at: "2026-11-01T00:00:00Z",
      factors: [{ name: "mom_7d", value: -0.132371 }],
      outcome: { net_bps: 128.4, hit: true },
      record_hash: "32f7ea83fdeb6349b612cb2bd34c64fecebc975232adefb0c392a39ba9068952",
      chain_head: PUBLISHED_HEAD,
    });
  });

  test("waits until a signal is graded", async () => {
    const records = await createRecords(false);
    expect(await read(records, "2026-11-02T02:10:00Z")).toBeNull();
    expect(await read(records, "2026-11-02T04:02:00Z")).toMatchObject({ side: null, outcome: null, record_hash: null });
  });
});
