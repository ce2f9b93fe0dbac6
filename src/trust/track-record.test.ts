import { describe, expect, test } from "bun:test";
import { createLongHistory, listEvidence, sellHistory, stateOutcome } from "../../test/helpers/long-history.ts";
import { createRecordedContext, runProduct } from "../../test/helpers/product-harness.ts";
import { createPublishedLedger, PUBLISHED_HEAD } from "../../test/helpers/signal-ledger.ts";
import { createTestSigner } from "../../test/helpers/test-signer.ts";
import { product } from "../plugins/crypto-market/win-rate-verified/product.ts";
import type { WinRateData } from "../plugins/crypto-market/win-rate-verified/schema.ts";
import { hashRecord, renderRecord } from "../records/record-chain.ts";
import type { KeptHead } from "./track-form.ts";
import { type TrackReport, verifyTrackRecord } from "./track-record.ts";

const signer = createTestSigner();
const findKey = (key_id: string) => (key_id === signer.key_id ? signer.public_key : null);
const NOW_MS = Date.parse("2026-11-03T00:10:00Z");

async function answer(shown = 200): Promise<{ data: WinRateData }> {
  const records = await createPublishedLedger({ scored: true });
  const { data } = await runProduct(product, { now_ms: NOW_MS, bodies: {}, records, params: { records: shown } });
  return { data: data as WinRateData };
}
/** The verdict on an answer that somebody changed. */
async function judge(change: (data: WinRateData) => void, kept?: KeptHead) {
  const { data } = await answer();
  change(data);
  return verifyTrackRecord({ data }, { findKey, kept });
}
const nothing = () => undefined;

const statesOf = ({ claims }: TrackReport) => Object.fromEntries(claims.map(({ name, state }) => [name, state]));
/** As a node signed it before statements had roots. */
function signAsBefore(data: WinRateData): void {
  const { records_root: _, outcome_log_size: __, outcome_log_root: ___, ...payload } = data.payload;
  Object.assign(data, { payload: { ...payload, v: 1 }, proof: null });
  data.payload_canonical = renderRecord(data.payload);
  data.signature = signer.sign("win-rate", data.payload_canonical);
  for (const row of data.records ?? []) Object.assign(row, { outcome_seq: undefined });
}

describe("a track record", () => {
  test("that is whole is proven, with heads kept earlier", async () => {
    const first = "32f7ea83fdeb6349b612cb2bd34c64fecebc975232adefb0c392a39ba9068952";
    for (const kept of [undefined, { length: 3, head: PUBLISHED_HEAD }, { length: 1, head: first }]) {
      const report = await judge(nothing, kept);
      expect(report.claims.filter(({ state }) => state !== "proven")).toEqual([]);
      expect(report).toMatchObject({ verdict: "proven", node_id: signer.node_id });
    }
  });

  test("of a preview proves its signature and nothing else", async () => {
    const report = await judge((data) => {
      Object.assign(data, { records: null, proof: null });
    });
    expect(report.verdict).toBe("unproven");
    const { signature, ...rest } = statesOf(report);
    expect([signature, ...new Set(Object.values(rest))]).toEqual(["proven", "unproven"]);
  });

  test("that was changed anywhere is broken", async () => {
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
      ["membership", (data) => Object.assign(at(data, 0).record, { alpha: "99.0" })],
      ["membership", (data) => Object.assign(at(data, 1).outcome, { exit_price: "1900.0" })],
      [
        "membership",
        (data) => Object.assign(at(data, 0), { outcome: at(data, 1).outcome, outcome_hash: at(data, 1).outcome_hash }),
      ],
      ["membership", (data) => data.records?.push(at(data, 0))],
      [
        "membership",
        (data) => {
          const first = at(data, 2);
          Object.assign(first.record, { prev_hash: "0".repeat(64) });
          first.record_hash = hashRecord(first.record);
        },
      ],
      [
        "grades",
        (data) => {
          const one = at(data, 1);
          Object.assign(one.outcome, { net_bps: "170.0", hit: true });
          one.outcome_hash = hashRecord(one.outcome);
        },
      ],
      [
        "grades",
        (data) => {
          const one = at(data, 1);
          Object.assign(one.outcome, { exit_at: "2026-11-02T02:00:00Z" });
          one.outcome_hash = hashRecord(one.outcome);
        },
      ],
    ];
    for (const [step, change] of changes) {
      const report = await judge(change);
      expect(report.verdict).toBe("broken");
      expect(statesOf(report)[step]).toBe("broken");
    }
  });

  test("that leaves a graded signal out is no record of all of them", async () => {
    const shown = await judge((data) => void data.records?.shift());
    // What leads to the roots was made for three records.
    expect(statesOf(shown)).toMatchObject({ membership: "broken", completeness: "unproven", totals: "unproven" });
    const bought = verifyTrackRecord(await answer(2), { findKey });
    expect(statesOf(bought)).toEqual({
      signature: "proven",
      membership: "proven",
      order: "proven",
      grades: "proven",
      completeness: "unproven",
      totals: "unproven",
    });
  });

  test("signed before there were roots is proven where it is whole, and unproven where it is not", async () => {
    expect((await judge(signAsBefore)).verdict).toBe("proven");
    const data = await sellHistory(await createLongHistory(300), 200);
    signAsBefore(data);
    expect(statesOf(verifyTrackRecord({ data }, { findKey }))).toEqual({
      signature: "proven",
      membership: "unproven",
      order: "unproven",
      completeness: "unproven",
      grades: "unproven",
      totals: "unproven",
    });
  });

  test("of 300 signals with the free records of before is proven whole, by an answer with 200 of them", async () => {
    const history = await createLongHistory(300);
    const data = await sellHistory(history, 200);
    const all = await listEvidence(history.records);
    const evidence = (records: readonly unknown[]) => ({ statement: data, records });
    const whole = verifyTrackRecord({ data }, { findKey, evidence: evidence(all.slice(0, 280)) });
    expect([whole.verdict, whole.claims.filter(({ state }) => state !== "proven")]).toEqual(["proven", []]);
    expect(verifyTrackRecord(evidence(all), { findKey }).verdict).toBe("proven");
    // What came after the statement is none of its business; what is missing is missed.
    const kept = { length: 42, head: all[41]?.record_hash ?? "" };
    expect(verifyTrackRecord({ data }, { findKey, kept, evidence: evidence(all) }).verdict).toBe("proven");
    expect(verifyTrackRecord({ data }, { findKey, evidence: evidence(all.slice(5)) }).verdict).toBe("unproven");
    const other = structuredClone(all.slice(0, 50));
    Object.assign(other[3]?.record ?? {}, { alpha: "99.0" });
    expect(verifyTrackRecord({ data }, { findKey, evidence: evidence(other) }).verdict).toBe("broken");
  });

  test("that was bought is whole with free records of a day before, some of them open then and now", async () => {
    const history = await createLongHistory(60);
    const before = { statement: await sellHistory(history, 0), records: await listEvidence(history.records) };
    const [like] = await history.records.read("signals", { limit: 1 });
    for (let more = 0; more < 3; more++) {
      await history.records.append("signals", (link) => ({ ...like?.record, ...link }), like?.beside);
    }
    const data = await sellHistory(history, 10);
    const judgeWith = (evidence: unknown) => statesOf(verifyTrackRecord({ data }, { findKey, evidence }));
    expect(new Set(Object.values(judgeWith(before)))).toEqual(new Set(["proven"]));
    // Not by evidence whose own statement does not hold it.
    const open = structuredClone(before);
    const newest = open.records.at(-1);
    if (!newest) throw new Error("nothing is open");
    newest.record = { ...newest.record, alpha: "99.0" };
    newest.record_hash = hashRecord(newest.record);
    expect(judgeWith(open)).toMatchObject({ membership: "unproven", order: "unproven" });
  });

  test("of 300 signals whose outcomes were made wins, hashes and links made to fit, is broken", async () => {
    const data = await sellHistory(await createLongHistory(300), 200);
    const forged = structuredClone(data);
    const rows = [...(forged.records ?? [])].sort((a, b) => a.record.seq - b.record.seq);
    for (const [index, row] of rows.entries()) {
      const before = rows[index - 1];
      if (before?.record.seq === row.record.seq - 1) row.record.prev_hash = before.record_hash;
      row.record_hash = hashRecord(row.record);
      const exit_price = row.record.side === "long" ? "110.2" : "89.8";
      row.outcome = stateOutcome(row.record, row.record_hash, exit_price) as typeof row.outcome;
      row.outcome_hash = hashRecord(row.outcome);
    }
    expect(statesOf(verifyTrackRecord({ data: forged }, { findKey }))).toMatchObject({
      signature: "proven",
      membership: "broken",
      grades: "unproven",
      totals: "broken",
    });
    // Without the proof, and with no more hits than are signed for, nothing of it passes as proven.
    Object.assign(forged, { proof: null });
    forged.records = forged.records?.slice(0, 40) ?? [];
    expect(statesOf(verifyTrackRecord({ data: forged }, { findKey }))).toEqual({
      signature: "proven",
      membership: "unproven",
      order: "unproven",
      completeness: "unproven",
      grades: "unproven",
      totals: "unproven",
    });
  });

  test("whose figures beside the signed ones say something else is broken", async () => {
    const changes: readonly ((data: WinRateData) => void)[] = [
      ({ windows }) => Object.assign(windows[2] ?? {}, { wins: 3 }),
      ({ windows }) => Object.assign(windows[2] ?? {}, { win_rate: 0.9 }),
      ({ windows }) => Object.assign(windows[2] ?? {}, { window: "90d" }),
      ({ by_side }) => Object.assign(by_side[0] ?? {}, { wins: 1 }),
      ({ by_symbol }) => void by_symbol.pop(),
    ];
    for (const change of changes) expect(statesOf(await judge(change)).totals).toBe("broken");
  });

  test("whose chain was rewritten since a head was kept is broken", async () => {
    expect((await judge(nothing, { length: 3, head: "0".repeat(64) })).verdict).toBe("broken");
    expect((await judge(nothing, { length: 1, head: PUBLISHED_HEAD })).verdict).toBe("broken");
    expect((await judge(nothing, { length: 4, head: PUBLISHED_HEAD })).verdict).toBe("broken");
  });

  test("signed by a node of another name is broken", async () => {
    const records = await createPublishedLedger({ scored: true });
    const context = createRecordedContext({ now_ms: NOW_MS, bodies: {}, records });
    const params = { records: 3 };
    const inputs = await product.fetch({ ...context, signer: { ...signer, node_id: "in1SomebodyElse" } }, params);
    const { data } = product.compute(inputs, { params, now_ms: NOW_MS });
    const report = verifyTrackRecord({ data }, { findKey });
    expect(report.claims[0]).toMatchObject({ state: "broken", detail: "node_id does not follow from the key" });
  });

  test("that is invalid is broken, whatever it is", () => {
    for (const value of [null, 1, "x", [], {}, { data: {} }, { data: { payload: {}, records: [{}] } }]) {
      expect(verifyTrackRecord(value, { findKey }).verdict).toBe("broken");
    }
  });
});
