import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { createPublishedLedger } from "../../../../test/helpers/signal-ledger.ts";
import { createTestSigner } from "../../../../test/helpers/test-signer.ts";
import { sha256Hex } from "../../../core/hash.ts";
import { getSignedText, renderRecord } from "../../../records/record-chain.ts";
import { computeWinRate as draft } from "./compute.ts";
import { fetchWinRate, type WinRateInputs } from "./fetch.ts";
import { WinRateSchema } from "./schema.ts";

const computeWinRate = asSold(WinRateSchema, draft);

const NOW_MS = Date.parse("2026-11-03T00:10:00Z");

describe("the signed record", () => {
  test("signs what hashlib and cryptography of Python sign of the published ledger", async () => {
    const records = await createPublishedLedger({ scored: true });
    const context = createRecordedContext({ now_ms: NOW_MS, bodies: {}, records });
    const signer = { ...createTestSigner(), node_id: "node-test", key_id: "ed25519-1" };
    const { data } = computeWinRate(await fetchWinRate({ ...context, signer }));
    expect(sha256Hex(getSignedText("win-rate", data.payload_canonical))).toBe(
      "e196eab3f18a98477870c0bdf587d188f4889be1025b4d0317e9a489654abadf",
    );
    expect(data.signature).toBe(
      "Owy1m1InJYI2q5Cf3Hxe20E5mh44G5wu5zF2h1CDRbWwYShufSIjb3dNTNHnbCKdIZf77iATLNMiJ9DdyAy5DA",
    );
    const { records_root, outcome_log_size, outcome_log_root, ...figures } = data.payload;
    expect(records_root).toBe("efe3fb43f955662294641971cf84495de1d82ed18bbbf4ef586993028f1fb05e");
    expect(outcome_log_size).toBe(3);
    // Graded one after the other, so the log is in the order of the chain.
    expect(outcome_log_root).toBe(data.payload.outcomes_root);
    expect(data.payload.outcomes_root).toBe("2dcb114fe177efc81d5c12449aa3f36fd5a7340f6d0646860e0ade2c68b0fdd6");
    // The figures are those of the statement that was published before there were roots.
    expect(sha256Hex(getSignedText("win-rate", renderRecord({ ...figures, v: 1 })))).toBe(
      "7bf8934217ebcddcffa7b9ab3d23c980e4def50b250f58040f2e3a9edebee34d",
    );
  });

  test("a window counts exits after its start, and every group adds up to the whole", async () => {
    const DAY_MS = 86_400_000;
    const records = await createPublishedLedger({ scored: true });
    const inputs = await fetchWinRate(createRecordedContext({ now_ms: NOW_MS, bodies: {}, records }), { records: 3 });
    const [entry] = inputs.entries;
    if (!entry?.graded) throw new Error("nothing graded");
    const { graded } = entry;
    const exits = [1, 29, 30, 31, 89, 90, 400].map((days) => NOW_MS - days * DAY_MS);
    const entries = exits.map((exit_at_ms, n) => ({
      ...entry,
      exit_at_ms,
      graded: { ...graded, exit_at_ms, symbol: n % 2 === 0 ? "BTC" : "ETH", confidence: 20 + 10 * n },
    }));
    const many: WinRateInputs = { ...inputs, entries };
    const { data } = computeWinRate(many);
    expect(data.windows.map(({ n_scored }) => n_scored)).toEqual([2, 5, 7]);
    for (const groups of [data.by_symbol, data.by_side, data.by_bucket]) {
      expect(groups.reduce((sum, { n }) => sum + n, 0)).toBe(7);
    }
    const [, , longest] = data.windows;
    expect(String(longest?.non_overlapping.profit_factor ?? 0.01)).toMatch(/^\d+(\.\d{1,2})?$/);
    expect(data.records?.map(({ outcome_seq }) => outcome_seq)).toEqual([3, 2, 1]);
  });
});
