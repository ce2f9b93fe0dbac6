import { describe, expect, test } from "bun:test";
import { createHash, createPublicKey, verify } from "node:crypto";
import { createLongHistory } from "../../test/helpers/long-history.ts";
import { createIdentity } from "../core/identity.ts";
import { readHistoryTrees } from "../records/history-trees.ts";
import { createMemoryRecords } from "../records/memory-records.ts";
import type { WritableRecords } from "../records/record-chain.ts";
import { logNameOf } from "./checkpoints.ts";
import { createHistoryLogs } from "./history-logs.ts";
import { readCosignedAt, readNote, signNote } from "./signed-note.ts";
import { createWitness } from "./witness.ts";

const NOW_MS = Date.parse("2026-11-30T12:00:00Z");
const NOW_S = NOW_MS / 1_000;
const log = createIdentity();
const stranger = createIdentity();
const witness_identity = createIdentity();
const NAME = logNameOf(log.node_id, "signals");

/** A log of a peer at several of its sizes; another one that was written otherwise. */
async function createLog(alpha?: string) {
  const { records } = await createLongHistory(40, alpha);
  const { records: tree } = await readHistoryTrees(records, "signals");
  const toBase64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
  const checkpointAt = (size: number, signer = { ...log, name: NAME }): string =>
    signNote(`${NAME}\n${size}\n${toBase64(tree.root(size))}\n`, signer);
  const proofTo = (size: number, old_size: number): readonly string[] =>
    old_size === 0 ? [] : tree.consistencyProof(old_size, size).map(toBase64);
  return { checkpointAt, proofTo };
}
const peer = await createLog();
const rewritten = await createLog("66.5");

const render = (old_size: number | string, proof: readonly string[], checkpoint: string): string =>
  `${[`old ${old_size}`, ...proof].join("\n")}\n\n${checkpoint}`;
const grow = (old_size: number, size: number): string =>
  render(old_size, peer.proofTo(size, old_size), peer.checkpointAt(size));

function start(records: WritableRecords = createMemoryRecords(() => NOW_MS)) {
  const told: string[] = [];
  const witness = createWitness({
    records,
    identity: witness_identity,
    now_ms: () => NOW_MS,
    findKey: async (node_id) => (node_id === log.node_id ? log.public_key : null),
    onFork: ({ node_id, chain }) => void told.push(`${node_id} ${chain}`),
  });
  return { witness, records, told };
}

describe("a witness", () => {
  test("cosigns as the specification says it, by whose words alone this is checked", async () => {
    const { witness } = start();
    const { status, body } = await witness.add(grow(0, 20));
    expect(status).toBe(200);
    const [, name = "", packed = ""] = /^— (\S+) (\S+)\n$/.exec(body) ?? [];
    const bytes = Buffer.from(packed, "base64");
    const key = Buffer.from(witness_identity.public_key, "base64url");
    const key_id = createHash("sha256").update(`${name}\n`).update(Buffer.of(4)).update(key).digest().subarray(0, 4);
    expect([name, bytes.subarray(0, 4)]).toEqual([witness.name, key_id]);
    expect(witness.verifier_key).toBe(
      `${name}+${key_id.toString("hex")}+${Buffer.concat([Buffer.of(4), key]).toString("base64")}`,
    );
    expect(bytes.readBigUInt64BE(4)).toBe(BigInt(NOW_S));
    const checkpoint = peer.checkpointAt(20);
    const message = `cosignature/v1\ntime ${NOW_S}\n${checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1)}`;
    const public_key = createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: witness_identity.public_key },
      format: "jwk",
    });
    expect(verify(null, Buffer.from(message), public_key, bytes.subarray(12))).toBe(true);
    const note = readNote(checkpoint + body);
    if (note === null) throw new Error("it is no note");
    expect(readCosignedAt(note, { name, public_key: witness_identity.public_key })).toBe(NOW_S);
    expect(readCosignedAt(note, { name, public_key: stranger.public_key })).toBeNull();
    const later = readNote(checkpoint.replace("\n20\n", "\n21\n") + body);
    expect(later && readCosignedAt(later, { name, public_key: witness_identity.public_key })).toBeNull();
  });

  test("follows a log as it grows, over a restart, and tells how far it has come", async () => {
    const { witness, records } = start();
    expect(await witness.add(grow(0, 20))).toMatchObject({ status: 200 });
    expect(await witness.add(grow(20, 20))).toMatchObject({ status: 200 });
    expect(await witness.add(grow(20, 33))).toMatchObject({ status: 200 });
    const { witness: restarted } = start(records);
    expect(await restarted.add(grow(0, 40))).toEqual({ status: 409, body: "33\n" });
    expect(await restarted.add(grow(20, 40))).toEqual({ status: 409, body: "33\n" });
    expect(await restarted.add(grow(33, 40))).toMatchObject({ status: 200 });
    const [one] = await witness.logs();
    expect(one).toMatchObject({ origin: NAME, size: 40, cosigned_at: "2026-11-30T12:00:00Z" });
    const cosigned = await witness.find(createHash("sha256").update(NAME).digest("hex"));
    expect(cosigned).toStartWith(peer.checkpointAt(40));
    expect(cosigned).toContain(`— ${witness.name} `);
    expect(await witness.find("")).toBeNull();
    expect(await witness.forks()).toEqual([]);
  });

  test.each([
    ["is no text of the protocol", 400, "hello\n"],
    ["names no old size", 400, render("", [], peer.checkpointAt(20))],
    ["names one with a zero too many", 400, render("00", [], peer.checkpointAt(20))],
    ["names one beyond its own", 400, render(21, [], peer.checkpointAt(20))],
    ["has 64 hashes", 400, render(1, Array(64).fill("A".repeat(43).concat("=")), peer.checkpointAt(20))],
    ["has something else for a hash", 400, render(1, ["AAAA"], peer.checkpointAt(20))],
    ["is of another node's log", 404, grow(0, 20).replaceAll(log.node_id, stranger.node_id)],
    ["is of a log of no node", 404, grow(0, 20).replaceAll("intel-node/", "example.com/")],
    ["is of no history", 404, grow(0, 20).replaceAll("/signals", "/constructor")],
    ["is signed by somebody else", 403, render(0, [], peer.checkpointAt(20, { ...stranger, name: NAME }))],
    ["is signed under another name", 403, render(0, [], peer.checkpointAt(20, { ...log, name: "other" }))],
    ["is not what was signed", 403, grow(0, 20).replace("\n20\n", "\n19\n")],
    ["proves something of nothing", 422, render(0, peer.proofTo(20, 10), peer.checkpointAt(20))],
    ["is empty, with a root", 422, render(0, [], signNote(`${NAME}\n0\n${"A".repeat(43)}=\n`, { ...log, name: NAME }))],
    ["is beside what was cosigned", 409, grow(10, 20)],
  ] as const)("refuses what %s with %d, and keeps nothing", async (_, status, sent) => {
    const { witness, records } = start();
    expect(await witness.add(sent)).toMatchObject({ status });
    expect(await witness.logs()).toEqual([]);
    expect(await records.head("witnessed-checkpoints")).toMatchObject({ length: 0 });
  });

  test("refuses what does not go on from what it cosigned", async () => {
    const { witness, told } = start();
    await witness.add(grow(0, 20));
    expect(await witness.add(render(20, [], peer.checkpointAt(33)))).toMatchObject({ status: 422 });
    expect(await witness.add(render(20, peer.proofTo(33, 19), peer.checkpointAt(33)))).toMatchObject({ status: 422 });
    const other = render(20, rewritten.proofTo(33, 20), rewritten.checkpointAt(33));
    expect(await witness.add(other)).toMatchObject({ status: 422 });
    // A proof that fails may be the sender's fault: of the log it proves nothing.
    expect([await witness.forks(), told]).toEqual([[], []]);
    expect(await witness.add(grow(20, 33))).toMatchObject({ status: 200 });
  });

  test("publishes a fork with both signatures, once and for good", async () => {
    const { witness, records, told } = start();
    await witness.add(grow(0, 20));
    expect(await witness.isInconsistent(log.node_id)).toBe(false);
    for (const old_size of [20, 20, 7]) {
      const sent = render(old_size, [], rewritten.checkpointAt(20));
      expect(await witness.add(sent)).toMatchObject({ status: old_size === 20 ? 422 : 409 });
    }
    const checkpoints = [peer.checkpointAt(20), rewritten.checkpointAt(20)];
    const forks = [{ origin: NAME, size: 20, found_at: "2026-11-30T12:00:00Z", checkpoints }];
    expect(await witness.forks()).toEqual(forks as never);
    expect(await start(records).witness.forks()).toEqual(forks as never);
    expect(told).toEqual([`${log.node_id} signals`]);
    expect(await witness.isInconsistent(log.node_id)).toBe(true);
    expect(await witness.isInconsistent(stranger.node_id)).toBe(false);
  });

  test("never goes back, even if another node on the same books cosigns at the same time", async () => {
    const { witness: one, records } = start();
    const { witness: other } = start(records);
    await one.add(grow(0, 10));
    const sizes = Array.from({ length: 20 }, (_, at) => 11 + at);
    const answers = await Promise.all(sizes.map((size, at) => (at % 2 === 0 ? one : other).add(grow(10, size))));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ status }) => status === 409).length).toBe(sizes.length - 1);
    const kept = await records.read("witnessed-checkpoints");
    expect(kept.map(({ record }) => record.size)).toEqual([
      10,
      sizes[answers.findIndex(({ status }) => status === 200)],
    ]);
  });

  test("keeps of a checkpoint what its log signed, and no words of others", async () => {
    const { witness } = start();
    const others = `— example.com/w1 ${Buffer.from("somebody else's word").toString("base64")}\n`;
    expect(await witness.add(`${grow(0, 20)}${others}`)).toMatchObject({ status: 200 });
    const cosigned = await witness.find(createHash("sha256").update(NAME).digest("hex"));
    expect(cosigned).not.toContain("example.com");
    const long = signNote(`${NAME}\n21\n${"A".repeat(43)}=\n${"x".repeat(2_000)}\n`, { ...log, name: NAME });
    expect(await witness.add(render(20, [], long))).toMatchObject({ status: 400 });
  });
});

test("a peer with ever new keys gets so many logs witnessed, and takes nobody's place", async () => {
  const name = logNameOf(log.node_id, "signals");
  const records = createMemoryRecords(() => NOW_MS);
  for (let row = 1; row < 1_000; row += 1) {
    const origin = `intel-node/in1x${row}/signals`;
    const kept = { origin, size: 1, root: "", note: "a\n\nb\n", time_s: NOW_S };
    await records.append("witnessed-checkpoints", (link) => ({ v: 1, ...link, ...kept }));
  }
  const { witness } = start(records);
  expect(await witness.add(grow(0, 20))).toMatchObject({ status: 200 });
  const another = createWitness({
    records,
    identity: witness_identity,
    now_ms: () => NOW_MS,
    findKey: async () => stranger.public_key,
    onFork: () => undefined,
  });
  const strange = logNameOf(stranger.node_id, "signals");
  const sent = peer.checkpointAt(20, { ...stranger, name: strange }).replaceAll(name, strange);
  const signed = signNote(sent.slice(0, sent.indexOf("\n\n") + 1), { ...stranger, name: strange });
  expect(await another.add(render(0, [], signed))).toMatchObject({ status: 404 });
  expect(await witness.add(grow(20, 33))).toMatchObject({ status: 200 });
});

test("a history's own checkpoint is one that a witness takes", async () => {
  const { records } = await createLongHistory(12);
  const { checkpoints } = createHistoryLogs({ records, identity: log, now_ms: () => NOW_MS });
  expect(await start().witness.add(render(0, [], await checkpoints.read("signals")))).toMatchObject({ status: 200 });
});
