import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { createTestSigner } from "../../test/helpers/test-signer.ts";
import { sha256Hex } from "../core/hash.ts";
import type { ReceiptFilter, ReceiptRow } from "../ledger/receipts.ts";
import { createMemoryRecords } from "../records/memory-records.ts";
import { verifyInclusion } from "../records/merkle-tree.ts";
import { createReceiptSeals, RECEIPT_SEALS, type SealedOrigin, type SealProof } from "./receipt-seals.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 9, 1, 12);
const ANSWER = '{"product":"mempool","data":{"é":1e-7}}';

const receiptOf = (seq: number, settled_at_ms: number, more: Partial<ReceiptRow> = {}): ReceiptRow => ({
  seq,
  id: `rcp_${seq}`,
  network: "eip155:84532",
  chain_transaction: `0x${seq}`,
  product: "mempool",
  asset: "0x0",
  amount: 10_000n,
  authorized: null,
  payer: "0x1",
  pay_to: "0x2",
  label: "organic",
  settled_at_ms,
  request_sha256: sha256Hex(`request ${seq}`),
  response_sha256: sha256Hex(ANSWER),
  node: null,
  on_chain: null,
  ...more,
});

function createRig() {
  const clock = createStillClock(START_MS);
  const rows: ReceiptRow[] = [];
  let read_max = 0;
  const receipts = {
    findByAnswer: async (response_sha256: string, from_ms: number) =>
      rows.find((row) => row.response_sha256 === response_sha256 && row.settled_at_ms >= from_ms) ?? null,
    list: async ({ limit, before_seq = Number.MAX_SAFE_INTEGER }: ReceiptFilter) => {
      read_max = Math.max(read_max, limit);
      return rows
        .filter(({ seq }) => seq < before_seq)
        .slice(-limit)
        .reverse();
    },
  };
  const records = createMemoryRecords(clock.now);
  const signer = createTestSigner();
  const isPlan = (product: string) => product === "day-pass";
  const origins = new Map<string, SealedOrigin>();
  const findOrigin = (sha256: string) => origins.get(sha256) ?? null;
  const seals = createReceiptSeals({ receipts, records, signer, isPlan, now_ms: clock.now, findOrigin });
  const sell = (count: number, more?: Partial<ReceiptRow>) => {
    for (let sold = 0; sold < count; sold++) rows.push(receiptOf(rows.length + 1, clock.now(), more));
  };
  const prove = async (seq: number) => seals.prove(rows[seq - 1] ?? receiptOf(seq, 0));
  const proofOf = async (seq: number): Promise<SealProof> => {
    const found = await prove(seq);
    if ("reason" in found) throw new Error(found.reason);
    return found;
  };
  return { clock, rows, records, signer, origins, seals, sell, prove, proofOf, readMax: () => read_max };
}

const holds = ({ leaf_hash, leaf_index, audit_path, record }: SealProof): boolean =>
  verifyInclusion({
    leaf_hash,
    index: leaf_index,
    proof: audit_path,
    size: Number(record.leaf_count),
    root: String(record.root),
  });

describe("hourly seals over paid answers", () => {
  test("every answer of the hours before is proven by a root, each seal naming the one before it", async () => {
    const { clock, rows, records, seals, sell, prove, proofOf } = createRig();
    sell(3);
    expect(await seals.seal()).toBe(0);
    clock.set(START_MS + HOUR_MS);
    sell(2);
    clock.set(START_MS + HOUR_MS + 300_000);
    expect(await seals.seal()).toBe(1);
    expect(await prove(4)).toEqual({ reason: expect.stringContaining("not sealed yet") });
    clock.set(START_MS + 2 * HOUR_MS + 300_000);
    expect([await seals.seal(), await seals.seal()]).toEqual([1, 0]);
    for (const { seq, id, response_sha256 } of rows) {
      const proof = await proofOf(seq);
      expect(holds(proof)).toBe(true);
      expect(proof.item).toMatchObject({ receipt_id: id, response_sha256: response_sha256 ?? "" });
    }
    const [first, second] = await records.read(RECEIPT_SEALS);
    expect(second?.record).toMatchObject({ prev_hash: first?.record_hash ?? "", after_receipt: 3, last_receipt: 5 });
    expect(await seals.list(1)).toHaveLength(1);
  });

  test("answers that hold a key, and those of no digest, are in no seal", async () => {
    const { clock, seals, sell, prove, proofOf, records } = createRig();
    sell(1);
    sell(1, { product: "day-pass" });
    sell(1, { request_sha256: null, response_sha256: null });
    sell(1);
    clock.set(START_MS + HOUR_MS);
    await seals.seal();
    expect((await records.read(RECEIPT_SEALS))[0]?.record).toMatchObject({ leaf_count: 2, left_out: ["day-pass"] });
    expect(await prove(2)).toEqual({ reason: expect.stringContaining("holds a key") });
    expect(await prove(3)).toEqual({ reason: expect.stringContaining("before digests") });
    expect(holds(await proofOf(4))).toBe(true);
  });

  test("a holder of only the bytes finds the proof, by their hash and an approximate time", async () => {
    const { clock, seals, sell } = createRig();
    const hashOf = (hour: number) => sha256Hex(`answer of hour ${hour}`);
    for (let hour = 0; hour < 12; hour += 1) {
      clock.set(START_MS + hour * HOUR_MS + 600_000);
      await seals.seal();
      sell(2);
      sell(1, { response_sha256: hashOf(hour) });
    }
    const find = (hour: number, at_ms: number | null) => seals.find({ response_sha256: hashOf(hour), at_ms });
    const made_ms = START_MS + 2 * HOUR_MS + 599_000;
    const found = await find(2, made_ms);
    expect(found && holds(found)).toBe(true);
    expect(found?.item).toMatchObject({ receipt_id: "rcp_9", response_sha256: hashOf(2) });
    // However old; what was sold before a time is not what is asked for, and nothing is proven before it is sealed.
    expect((await find(2, null))?.item.receipt_id).toBe("rcp_9");
    expect((await find(9, null))?.item.receipt_id).toBe("rcp_30");
    expect(await find(2, made_ms + 2 * HOUR_MS)).toBeNull();
    expect(await find(11, START_MS + 11 * HOUR_MS)).toBeNull();
    expect(await seals.find({ response_sha256: sha256Hex("nobody's"), at_ms: null })).toBeNull();
    // One answer sold often has one proof: the earliest sale's.
    const often = { response_sha256: sha256Hex(ANSWER), at_ms: START_MS };
    expect((await seals.find(often))?.item.receipt_id).toBe("rcp_1");
  });

  test("the hash of an answer with a key is never found", async () => {
    const { clock, seals, sell, rows } = createRig();
    const response_sha256 = sha256Hex('{"api_key":"withheld"}');
    sell(1);
    sell(1, { product: "day-pass", response_sha256 });
    clock.set(START_MS + HOUR_MS);
    await seals.seal();
    for (const at_ms of [null, START_MS]) expect(await seals.find({ response_sha256, at_ms })).toBeNull();
    expect(rows[1]?.response_sha256).toBe(response_sha256);
    expect(JSON.stringify(await seals.list(0))).not.toContain(response_sha256);
  });

  test("a busy hour is several seals, read from the books in small parts", async () => {
    const { clock, seals, sell, proofOf, readMax } = createRig();
    sell(4_100);
    clock.set(START_MS + HOUR_MS);
    expect(await seals.seal()).toBe(2);
    expect((await proofOf(4_096)).record.seq).toBe(1);
    expect((await proofOf(4_097)).record).toMatchObject({ seq: 2, leaf_count: 4 });
    expect(readMax()).toBeLessThanOrEqual(500);
  });

  test("books that were changed since prove nothing", async () => {
    const { clock, rows, seals, sell, prove } = createRig();
    sell(3);
    clock.set(START_MS + HOUR_MS);
    await seals.seal();
    rows[1] = receiptOf(2, START_MS, { response_sha256: sha256Hex("another answer") });
    expect(await prove(1).then(null, ({ message }) => message)).toContain("not what seal 1");
  });
});

const FOLDER = join(import.meta.dir, "../../docs/examples/verify-seal");
const PROGRAMS = [
  ["JavaScript", process.execPath, join(FOLDER, "verify-answer.mjs")],
  ["Python", Bun.which("python3"), join(FOLDER, "verify-answer.py")],
] as const;

for (const [language, program, file] of PROGRAMS) {
  test.skipIf(program === null)(`a program of ${language} that knows nothing of this node checks a proof`, async () => {
    const { clock, seals, sell, proofOf, signer } = createRig();
    sell(5);
    clock.set(START_MS + HOUR_MS);
    await seals.seal();
    const proof = await proofOf(4);
    const folder = mkdtempSync(join(tmpdir(), "verify-answer-"));
    const check = (shown: unknown, answer = ANSWER): number | null => {
      const [shown_file, answer_file] = [join(folder, "seal.json"), join(folder, "answer.json")];
      writeFileSync(shown_file, JSON.stringify({ proof: shown }));
      writeFileSync(answer_file, answer);
      const given = [program ?? "", file, shown_file, signer.public_key, answer_file];
      return Bun.spawnSync(given, { stdout: "ignore", stderr: "ignore" }).exitCode;
    };
    expect(readFileSync(file, "utf8").split("\n").length - 1).toBeLessThanOrEqual(100);
    expect(check(proof)).toBe(0);
    expect(check(proof, ANSWER.replace("1e-7", "2e-7"))).toBe(4);
    for (const change of [
      { item: { ...proof.item, settled_at: "2026-10-01T11:00:00Z" } },
      { signature: `${proof.signature.startsWith("A") ? "B" : "A"}${proof.signature.slice(1)}` },
    ]) {
      expect(check({ ...proof, ...change })).toBe(4);
    }
    rmSync(folder, { recursive: true, force: true });
  });
}

describe("what answers were made of", () => {
  const origin = (n: number): SealedOrigin => ({
    inputs_sha256: sha256Hex(`inputs ${n}`),
    code_sha256: sha256Hex("c"),
  });

  test("is named by the seal where it is there, and stays proven when it ends", async () => {
    const { clock, origins, seals, sell, proofOf } = createRig();
    for (let n = 1; n <= 4; n++) sell(1, { response_sha256: sha256Hex(`answer ${n}`) });
    origins.set(sha256Hex("answer 1"), origin(1));
    origins.set(sha256Hex("answer 3"), { ...origin(3), code_sha256: null });
    clock.set(START_MS + HOUR_MS + 300_000);
    expect(await seals.seal()).toBe(1);
    // Inputs end, and what comes later is not what was sealed.
    origins.clear();
    origins.set(sha256Hex("answer 2"), origin(2));
    const proofs = await Promise.all([1, 2, 3, 4].map(proofOf));
    expect(proofs.every(holds)).toBe(true);
    expect(proofs.map(({ item }) => [item.inputs_sha256, item.code_sha256])).toEqual([
      [origin(1).inputs_sha256, origin(1).code_sha256],
      [undefined, undefined],
      [origin(3).inputs_sha256, undefined],
      [undefined, undefined],
    ] as never);
  });

  test("makes more seals where there is more of it than has room beside one", async () => {
    const { clock, rows, origins, seals, sell, proofOf } = createRig();
    for (let n = 1; n <= 2_500; n++) {
      sell(1, { response_sha256: sha256Hex(`answer ${n}`) });
      origins.set(sha256Hex(`answer ${n}`), { ...origin(n), code_sha256: sha256Hex(`code ${n % 80}`) });
    }
    clock.set(START_MS + HOUR_MS + 300_000);
    expect(await seals.seal()).toBe(3);
    for (const seq of [1, 1_200, 1_201, 2_400, rows.length]) {
      const proof = await proofOf(seq);
      expect(holds(proof)).toBe(true);
      expect(proof.item.inputs_sha256).toBe(origin(seq).inputs_sha256);
    }
  });
});
