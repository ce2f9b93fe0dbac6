import { describe, expect, test } from "bun:test";
import { createRecordedContext, runProduct } from "../../../../test/helpers/product-harness.ts";
import { createPublishedLedger } from "../../../../test/helpers/signal-ledger.ts";
import { hashRecordLeaf } from "../../../records/history-trees.ts";
import { createMemoryRecords } from "../../../records/memory-records.ts";
import { rootOfLeaves } from "../../../records/merkle-tree.ts";
import { hashRecord } from "../../../records/record-chain.ts";
import { isSignedText } from "../../../records/signed-text.ts";
import { fetchWinRate } from "./fetch.ts";
import { product } from "./product.ts";
import type { WinRateData } from "./schema.ts";

const NOW_MS = Date.parse("2026-11-03T00:10:00Z");
const run = async () => {
  const records = await createPublishedLedger({ scored: true });
  const result = await runProduct(product, { now_ms: NOW_MS, bodies: {}, records, params: { records: 200 } });
  return { ...result, data: result.data as WinRateData };
};

describe("/win-rate-verified", () => {
  test("its signature is good for the text it shows, and every record hashes as it says", async () => {
    const { data } = await run();
    const { payload, payload_canonical: text, signature, public_key, records } = data;
    expect(isSignedText({ kind: "win-rate", text, signature, public_key })).toBe(true);
    expect(JSON.parse(text)).toEqual(payload);
    expect(records).toHaveLength(3);
    for (const one of records ?? []) {
      expect(hashRecord(one.record)).toBe(one.record_hash);
      expect(hashRecord(one.outcome)).toBe(one.outcome_hash);
    }
  });

  test("windows count by exit, groups by what they are named after", async () => {
    const { data, warnings, as_of } = await run();
    expect(data.windows.map(({ window, n_scored }) => [window, n_scored])).toEqual([
      ["30d", 3],
      ["90d", 3],
      ["all", 3],
    ]);
    expect(data.by_side.map(({ key, n, wins }) => [key, n, wins])).toEqual([
      ["long", 2, 2],
      ["short", 1, 0],
    ]);
    expect(data.by_bucket.map(({ n }) => n)).toEqual([2, 1, 0, 0]);
    expect(warnings[0]).toStartWith("sample_too_small");
    expect(as_of).toBe("2026-11-02T06:10:00Z");
    const later = await runProduct(product, {
      now_ms: NOW_MS + 40 * 86_400_000,
      bodies: {},
      records: await createPublishedLedger({ scored: true }),
    });
    expect((later.data as WinRateData).windows.map(({ n_scored }) => n_scored)).toEqual([0, 3, 3]);
  });

  test("before the first signal is graded nothing is sold, and it is said when that can be", async () => {
    const now_ms = Date.parse("2026-11-01T06:00:00Z");
    const records = await createPublishedLedger({ scored: false });
    const open = runProduct(product, { now_ms, bodies: {}, records });
    // Written at 00:02, entered at 01:00, out a day later, graded after that hour's bar.
    expect(open).rejects.toMatchObject({ code: "no_history", status: 503 });
    expect(open).rejects.toThrow("not before 2026-11-02T02:10:00Z. Nothing was charged.");
    expect(await product.findOpening?.({ records, now_ms })).toBe(Date.parse("2026-11-02T02:10:00Z"));
    // Nothing is open: the evaluation of 08:02 is the first that may give a signal.
    const empty = { records: createMemoryRecords(() => now_ms), now_ms };
    expect(await product.findOpening?.(empty)).toBe(Date.parse("2026-11-02T10:10:00Z"));
    expect(runProduct(product, { ...empty, bodies: {} })).rejects.toMatchObject({ code: "no_history" });
    const graded = await createPublishedLedger({ scored: true });
    expect(await product.findOpening?.({ records: graded, now_ms: NOW_MS })).toBeNull();
  });

  test("only records that are asked for are shown, with what leads from them to the signed roots", async () => {
    const records = await createPublishedLedger({ scored: true });
    const sell = async (params: Record<string, unknown>) =>
      (await runProduct(product, { now_ms: NOW_MS, bodies: {}, records, params })).data as WinRateData;
    const none = await sell({});
    expect([none.records, none.proof]).toEqual([[], null]);
    const { payload, proof, records: shown } = await sell({ records: 1 });
    const leaves = new Map(shown?.map(({ record, record_hash }) => [record.seq - 1, hashRecordLeaf(record_hash)]));
    expect(rootOfLeaves({ size: 3, leaves, missing: proof?.records ?? [] })).toBe(payload.records_root);
    expect([shown?.length, proof?.records.length, proof?.outcomes.length]).toEqual([1, 1, 1]);
  });

  test("the preview withholds the records", async () => {
    const { data } = await run();
    expect(product.preview.redact?.(data).records).toBeNull();
  });

  test("what is settled is read once, and what comes after it is seen", async () => {
    const records = await createPublishedLedger({ scored: true });
    const context = createRecordedContext({ now_ms: NOW_MS, bodies: {}, records });
    const first = await fetchWinRate(context);
    const read: number[] = [];
    const counting: typeof records = {
      ...records,
      read: async (chain, query) => {
        const rows = await records.read(chain, query);
        if (chain === "signals" && query?.after_seq !== undefined) read.push(rows.length);
        return rows;
      },
    };
    const again = createRecordedContext({ now_ms: NOW_MS, bodies: {}, records: counting });
    await fetchWinRate(again);
    expect(await fetchWinRate(again)).toEqual(first);
    // Once for the figures, once for the trees.
    expect(read).toEqual([3, 3, 0, 0]);
    const { model_hash, features_hash } = (await run()).data.records?.[0]?.record ?? {};
    await records.append(
      "signals",
      (link) => ({
        v: 1,
        model_id: "alpha-v1",
        model_hash: model_hash ?? "",
        symbol: "BTC",
        side: "long",
        alpha: "70.0",
        confidence: 40,
        bar_close_at: "2026-11-03T00:00:00Z",
        emitted_at: "2026-11-03T00:02:00Z",
        ref_price: "1",
        features_hash: features_hash ?? "",
        horizon_h: 24,
        cost_bps: "20.0",
        ...link,
      }),
      { model_id: "alpha-v1", symbol: "BTC", bar_close_at: "2026-11-03T00:00:00Z", factors: [] },
    );
    const later = await fetchWinRate(again);
    expect(later.payload).toMatchObject({ n_emitted: 4, n_open: 1, n_scored: 3, chain_length: 4 });
    expect(later.payload.outcomes_root).toBe(first.payload.outcomes_root);
    expect(later.payload.outcome_log_root).toBe(first.payload.outcome_log_root);
    expect(later.payload.records_root).not.toBe(first.payload.records_root);
  });
});
