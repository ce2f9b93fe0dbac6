import { describe, expect, test } from "bun:test";
import { createRecordedContext, runProduct } from "../../test/helpers/product-harness.ts";
import { createPublishedLedger, PUBLISHED_HEAD } from "../../test/helpers/signal-ledger.ts";
import { createTestSigner } from "../../test/helpers/test-signer.ts";
import { product } from "../plugins/crypto-market/win-rate-verified/product.ts";
import type { WinRateData } from "../plugins/crypto-market/win-rate-verified/schema.ts";
import { hashRecord } from "../records/record-chain.ts";
import { type KeptHead, verifyTrackRecord } from "./track-record.ts";

const signer = createTestSigner();
const findKey = (key_id: string) => (key_id === signer.key_id ? signer.public_key : null);
const NOW_MS = Date.parse("2026-11-03T00:10:00Z");

async function answer(): Promise<{ data: WinRateData }> {
  const records = await createPublishedLedger({ scored: true });
  const { data } = await runProduct(product, { now_ms: NOW_MS, bodies: {}, records, params: { records: 200 } });
  return { data: data as WinRateData };
}
/** The verdict on an answer that somebody changed. */
async function judge(change: (data: WinRateData) => void, kept?: KeptHead) {
  const { data } = await answer();
  change(data);
  return verifyTrackRecord({ data }, { findKey, kept });
}
const nothing = () => undefined;

describe("a track record", () => {
  test("that is whole is proven, with heads kept earlier", async () => {
    const first = "32f7ea83fdeb6349b612cb2bd34c64fecebc975232adefb0c392a39ba9068952";
    for (const kept of [undefined, { length: 3, head: PUBLISHED_HEAD }, { length: 1, head: first }]) {
      const report = await judge(nothing, kept);
      expect(report.steps.filter(({ state }) => state !== "proven")).toEqual([]);
      expect(report).toMatchObject({ verdict: "proven", node_id: signer.node_id });
    }
  });

  test("of a preview is proven in part", async () => {
    const report = await judge((data) => {
      data.records = null;
    });
    expect(report.verdict).toBe("partial");
  });

  test("that was changed anywhere is refused", async () => {
    const at = (data: WinRateData, index: number) => {
      const found = data.records?.[index];
      if (!found) throw new Error("no record");
      return found;
    };
    const changes: readonly [string, (data: WinRateData) => void][] = [
      ["signature", (data) => Object.assign(data.payload, { wins: 3 })],
      ["signature", (data) => Object.assign(data, { payload_canonical: `${data.payload_canonical} ` })],
      ["signature", (data) => Object.assign(data, { signature: data.signature.replace(/^./, "A") })],
      ["signature", (data) => Object.assign(data.payload, { key_id: "node-9" })],
      ["hashes", (data) => Object.assign(at(data, 0).record, { alpha: "99.0" })],
      ["hashes", (data) => Object.assign(at(data, 1).outcome, { exit_price: "1900.0" })],
      [
        "hashes",
        (data) => Object.assign(at(data, 0), { outcome: at(data, 1).outcome, outcome_hash: at(data, 1).outcome_hash }),
      ],
      ["links", (data) => data.records?.push(at(data, 0))],
      [
        "links",
        (data) => {
          const first = at(data, 2);
          Object.assign(first.record, { prev_hash: "0".repeat(64) });
          first.record_hash = hashRecord(first.record);
        },
      ],
      [
        "results",
        (data) => {
          const one = at(data, 1);
          Object.assign(one.outcome, { net_bps: "170.0", hit: true });
          one.outcome_hash = hashRecord(one.outcome);
        },
      ],
      [
        "results",
        (data) => {
          const one = at(data, 1);
          Object.assign(one.outcome, { exit_at: "2026-11-02T02:00:00Z" });
          one.outcome_hash = hashRecord(one.outcome);
        },
      ],
    ];
    for (const [step, change] of changes) {
      const report = await judge(change);
      expect(report.verdict).toBe("refused");
      expect(report.steps.filter(({ state }) => state === "refused").map(({ name }) => name)).toContain(step);
    }
  });

  test("that leaves a graded signal out is proven in part only", async () => {
    const report = await judge((data) => void data.records?.shift());
    expect(report.verdict).toBe("partial");
    expect(report.steps.find(({ name }) => name === "totals")?.state).toBe("partial");
  });

  test("whose chain was rewritten since a head was kept is refused", async () => {
    expect((await judge(nothing, { length: 3, head: "0".repeat(64) })).verdict).toBe("refused");
    expect((await judge(nothing, { length: 1, head: PUBLISHED_HEAD })).verdict).toBe("refused");
    expect((await judge(nothing, { length: 4, head: PUBLISHED_HEAD })).verdict).toBe("refused");
  });

  test("signed by a node of another name is refused", async () => {
    const records = await createPublishedLedger({ scored: true });
    const context = createRecordedContext({ now_ms: NOW_MS, bodies: {}, records });
    const inputs = await product.fetch({ ...context, signer: { ...signer, node_id: "in1SomebodyElse" } }, {});
    const { data } = product.compute(inputs, { params: {}, now_ms: NOW_MS });
    const report = verifyTrackRecord({ data }, { findKey });
    expect(report.steps[0]).toMatchObject({ state: "refused", detail: "node_id does not follow from the key" });
  });

  test("that is none is refused, whatever it is", () => {
    for (const value of [null, 1, "x", [], {}, { data: {} }, { data: { payload: {}, records: [{}] } }]) {
      expect(verifyTrackRecord(value, { findKey }).verdict).toBe("refused");
    }
  });
});
