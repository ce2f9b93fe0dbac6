import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdentity } from "../../src/core/identity.ts";
import { readHistoryTrees } from "../../src/records/history-trees.ts";
import type { WritableRecords } from "../../src/records/record-chain.ts";
import { logNameOf } from "../../src/trust/checkpoints.ts";
import { renderAddCheckpoint } from "../../src/trust/log-proof.ts";
import { signNote } from "../../src/trust/signed-note.ts";
import { createWitness } from "../../src/trust/witness.ts";
import { createLongHistory } from "../helpers/long-history.ts";
import { closeBooksAfterEach, failureOf, openBooks, runOnBooks } from "../helpers/open-books.ts";
import { createStillClock } from "../helpers/still-clock.ts";

/** A log that is cosigned at each of its sizes fills no books: of each the newest checkpoint is kept, and its fork. */
closeBooksAfterEach();

const folder = mkdtempSync(join(tmpdir(), "witnessed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHAIN = "witnessed-checkpoints";
const SIZE = 40;
const peers = [createIdentity(), createIdentity()] as const;
const own = createIdentity();

async function createLogs(alpha?: string) {
  const { records } = await createLongHistory(SIZE, alpha);
  const { records: tree } = await readHistoryTrees(records, "signals");
  return (of: (typeof peers)[number], old_size: number, size: number): string => {
    const name = logNameOf(of.node_id, "signals");
    const root = Buffer.from(tree.root(size), "hex").toString("base64");
    const proof = old_size === 0 ? [] : tree.consistencyProof(old_size, size);
    return renderAddCheckpoint(old_size, proof, signNote(`${name}\n${size}\n${root}\n`, { ...of, name }));
  };
}

const startWitness = (records: WritableRecords) =>
  createWitness({
    records,
    identity: own,
    now_ms: () => Date.parse("2026-11-30T12:00:00Z"),
    findKey: async (node_id) => peers.find((peer) => peer.node_id === node_id)?.public_key ?? null,
    onFork: () => undefined,
  });

test("of each log the newest checkpoint is kept, and two that contradict each other for good", async () => {
  const file = join(folder, "ledger.db");
  const ledger = await openBooks({ file, clock: createStillClock() });
  const records = ledger.records("live");
  const grow = await createLogs();
  const [one, other] = peers;
  const [witness, beside] = [startWitness(records), startWitness(records)];
  for (let size = 1; size <= SIZE; size += 1) {
    // Two nodes on these books take turns.
    const taking = size % 2 === 0 ? witness : beside;
    expect(await taking.add(grow(one, size - 1, size))).toMatchObject({ status: 200 });
    if (size % 10 === 0) expect(await taking.add(grow(other, size - 10, size))).toMatchObject({ status: 200 });
  }
  const rows = await records.read(CHAIN);
  expect(rows.map(({ seq, record }) => [seq, record.size])).toEqual([
    [SIZE + 3, SIZE],
    [SIZE + 4, SIZE],
  ]);
  expect((await records.head(CHAIN)).length).toBe(SIZE + 4);

  const rewrite = await createLogs("61.2");
  expect(await witness.add(rewrite(one, SIZE, SIZE))).toMatchObject({ status: 422 });
  const restarted = startWitness(records);
  expect((await restarted.logs()).map(({ size }) => size)).toEqual([SIZE, SIZE]);
  expect((await restarted.forks()).map(({ size }) => size)).toEqual([SIZE]);
  expect(await restarted.add(grow(one, 20, SIZE))).toEqual({ status: 409, body: `${SIZE}\n` });

  // The newest of a log, and everything else that is written down, stays whoever asks.
  for (const chain of [CHAIN, "witnessed-forks"]) {
    const removal = runOnBooks(file, [`DELETE FROM records WHERE chain = '${chain}'`]);
    expect((await failureOf(removal)).message).toContain("final");
  }
  expect(await records.read(CHAIN)).toEqual(rows);
});
