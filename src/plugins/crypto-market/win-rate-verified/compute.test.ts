import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { createPublishedLedger } from "../../../../test/helpers/signal-ledger.ts";
import { createTestSigner } from "../../../../test/helpers/test-signer.ts";
import { sha256Hex } from "../../../core/hash.ts";
import { getSignedText } from "../../../records/record-chain.ts";
import { computeWinRate } from "./compute.ts";
import { fetchWinRate, type WinRateInputs } from "./fetch.ts";

const NOW_MS = Date.parse("2026-11-03T00:10:00Z");

describe("the signed record", () => {
  test("signs the published statement with the published signature", async () => {
    const records = await createPublishedLedger({ scored: true });
    const context = createRecordedContext({ now_ms: NOW_MS, bodies: {}, records });
    const signer = { ...createTestSigner(), node_id: "node-test", key_id: "ed25519-1" };
    const { data } = computeWinRate(await fetchWinRate({ ...context, signer }));
    expect(sha256Hex(getSignedText("win-rate", data.payload_canonical))).toBe(
      "7bf8934217ebcddcffa7b9ab3d23c980e4def50b250f58040f2e3a9edebee34d",
    );
    expect(data.signature).toBe(
      "ZSug6yIfw6n8PtYvOZ1TtLQVZ4M1JMvHaCCqRRU_RRlT7-d63AZ9Duk0NmEGuM17ZfW59oylJL4_Mv7SKl6ICg",
    );
    expect(data.payload.outcomes_root).toBe("2dcb114fe177efc81d5c12449aa3f36fd5a7340f6d0646860e0ade2c68b0fdd6");
  });

  test("a window counts exits after its start, and every group adds up to the whole", async () => {
    const DAY_MS = 86_400_000;
    const records = await createPublishedLedger({ scored: true });
    const inputs = await fetchWinRate(createRecordedContext({ now_ms: NOW_MS, bodies: {}, records }));
    const [entry] = inputs.entries;
    if (!entry?.graded) throw new Error("nothing graded");
    const { graded } = entry;
    const exits = [1, 29, 30, 31, 89, 90, 400].map((days) => NOW_MS - days * DAY_MS);
    const entries = exits.map((exit_at_ms, n) => ({
      ...entry,
      exit_at_ms,
      graded: { ...graded, exit_at_ms, symbol: n % 2 === 0 ? "BTC" : "ETH", confidence: 20 + 10 * n },
    }));
    const [newest] = inputs.newest;
    if (!newest) throw new Error("nothing published");
    const many: WinRateInputs = { ...inputs, entries, newest: Array.from({ length: 7 }, () => newest) };
    const { data } = computeWinRate(many);
    expect(data.windows.map(({ n_scored }) => n_scored)).toEqual([2, 5, 7]);
    for (const groups of [data.by_symbol, data.by_side, data.by_bucket]) {
      expect(groups.reduce((sum, { n }) => sum + n, 0)).toBe(7);
    }
    const [, , longest] = data.windows;
    expect(String(longest?.non_overlapping.profit_factor ?? 0.01)).toMatch(/^\d+(\.\d{1,2})?$/);
    // One whole record unless more are asked for; the figures are of all of them.
    expect(data.records).toHaveLength(1);
    expect(computeWinRate(many, { params: { records: 200 } }).data.records).toHaveLength(7);
    expect(computeWinRate(many, { params: { records: 0 } }).data.records).toEqual([]);
  });
});
