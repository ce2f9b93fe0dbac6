import { beforeAll, describe, expect, test } from "bun:test";
import { createLongHistory, listEvidence } from "../../test/helpers/long-history.ts";
import { createIdentity } from "../core/identity.ts";
import { createCheckpoints, logNameOf } from "./checkpoints.ts";
import { createLogProofs, type LogProof, readCheckpoint, readLogProof, renderLogProof } from "./log-proof.ts";
import { cosign, type NoteKey, renderWitnessKey, signNote } from "./signed-note.ts";
import { verifyLogProof } from "./verify-log-proof.ts";
import { parsePolicy } from "./witness-policy.ts";

const SIZE = 300;
const identity = createIdentity();
const stranger = createIdentity();
let rows: Awaited<ReturnType<typeof listEvidence>>;
let proofs: readonly string[];
beforeAll(async () => {
  const { records } = await createLongHistory(SIZE);
  const log_proofs = createLogProofs({
    records,
    now_ms: () => 0,
    checkpoints: createCheckpoints({ records, identity, now_ms: () => 0 }),
  });
  rows = await listEvidence(records);
  proofs = await Promise.all(rows.map(async ({ seq }) => (await log_proofs.read("signals", seq)) ?? ""));
  expect(await log_proofs.read("signals", SIZE + 1)).toBeNull();
  expect(await log_proofs.read("theses", 1)).toBeNull();
});

const check = (text: string, evidence: unknown, keys = [identity.public_key]) => {
  const { verdict, claims } = verifyLogProof(text, { keys, evidence });
  return { verdict, claims: claims.map(({ name, state }) => `${name} ${state}`) };
};
const PROVEN = ["signature proven", "membership proven", "order proven"];
const proofOf = (seq: number): LogProof => readLogProof(proofs[seq - 1] ?? "") as LogProof;

/** The example of the specification, but for signatures, which are cut there. */
const EXAMPLE = `c2sp.org/tlog-proof@v1
extra YWdlLXYxLjIuMS50YXIuZ3o=
index 73894
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=

example.com/fancylog
109482
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

— example.com/fancylog hI2DJwAA
`;

describe("a file of a proof", () => {
  test("reads and writes as the specification shows it", () => {
    const proof = readLogProof(EXAMPLE);
    expect(proof).toMatchObject({ index: 73_894, audit_path: { length: 2 } });
    expect(renderLogProof(proof as LogProof)).toBe(EXAMPLE);
    expect(readCheckpoint(proof?.checkpoint ?? "")).toMatchObject({ origin: "example.com/fancylog", size: 109_482 });
    const bare = EXAMPLE.replace(/^extra .*\n/m, "");
    expect(readLogProof(bare)?.extra).toBeNull();
    expect(renderLogProof(readLogProof(bare) as LogProof)).toBe(bare);
  });

  test.each([
    ["another header", (text: string) => text.replace("@v1", "@v2")],
    ["no index", (text: string) => text.replace(/^index .*\n/m, "")],
    ["an index with a zero too many", (text: string) => text.replace("index 7", "index 07")],
    ["an index that is no number", (text: string) => text.replace("index 73894", "index 0x1")],
    ["a hash that is too short", (text: string) => text.replace(/^gSKy.*$/m, "gSKy")],
    ["a hash with bits that mean nothing", (text: string) => text.replace("TcdPlQ=", "TcdPlR=")],
    ["an extra of another spelling", (text: string) => text.replace("Z3o=", "Z3p=")],
    ["lines of Windows", (text: string) => text.replaceAll("\n", "\r\n")],
    ["no checkpoint", (text: string) => text.slice(0, text.indexOf("\n\n"))],
    ["too many hashes", (text: string) => text.replace(/^(gSKy.*\n)/m, "$1".repeat(63))],
  ])("with %s is none", (_, edit) => {
    expect(edit(EXAMPLE)).not.toBe(EXAMPLE);
    expect(readLogProof(edit(EXAMPLE))).toBeNull();
  });
});

describe("a proof of a record", () => {
  test("holds for every record of a history, beside the record in whatever it was kept", () => {
    for (const [index, row] of rows.entries()) {
      expect(check(proofs[index] ?? "", row)).toEqual({ verdict: "proven", claims: PROVEN });
    }
    const [proof = "", row] = [proofs[41], rows[41]];
    const kept = [
      row?.record,
      { records: rows },
      { data: { records: rows } },
      { answer: {}, evidence: { records: rows } },
    ];
    for (const evidence of kept) expect(check(proof, evidence)).toEqual({ verdict: "proven", claims: PROVEN });
  });

  test("without the record is no proof of it", () => {
    for (const evidence of [undefined, null, 7, [], {}, { records: rows.slice(0, 10) }, { record: { seq: 42 } }]) {
      const claims = ["signature proven", "membership unproven"];
      expect(check(proofs[41] ?? "", evidence)).toEqual({ verdict: "unproven", claims });
    }
    const { extra: _, ...bare } = proofOf(42);
    const claims = ["signature proven", "membership unproven"];
    expect(check(renderLogProof({ ...bare, extra: null }), undefined)).toEqual({ verdict: "unproven", claims });
    expect(check(renderLogProof({ ...bare, extra: null }), rows[41])).toEqual({ verdict: "proven", claims: PROVEN });
  });

  test("is not one of another record, of a changed one or for another place", () => {
    const proof = proofs[41] ?? "";
    const changed = { ...rows[41], record: { ...rows[41]?.record, alpha: "99.9" } };
    const misnamed = { ...rows[41], record_hash: rows[40]?.record_hash };
    for (const evidence of [rows[40], changed, misnamed, { record: { prev_hash: "", seq: 42, n: 0.5 } }]) {
      expect(check(proof, evidence)).toMatchObject({ verdict: "broken" });
      const bare = renderLogProof({ ...proofOf(42), extra: null });
      expect(check(bare, evidence)).toMatchObject({ verdict: "broken" });
    }
    const { extra } = proofOf(41);
    const forged = [
      { index: 40 },
      { index: 300 },
      { audit_path: proofOf(41).audit_path },
      { audit_path: [] },
      { extra },
    ];
    for (const edit of forged) {
      const text = renderLogProof({ ...proofOf(42), ...edit });
      expect(check(text, rows[41])).toMatchObject({ verdict: "broken" });
    }
    // Nor does the hash beside it pass for the record's.
    expect(check(renderLogProof({ ...proofOf(42), extra }), undefined)).toMatchObject({ verdict: "broken" });
  });

  test("counts under the node's own key, and for that log alone", () => {
    const [proof = "", row] = [proofs[41], rows[41]];
    expect(check(proof, row, [])).toMatchObject({ verdict: "broken" });
    expect(check(proof, row, [stranger.public_key])).toMatchObject({ verdict: "broken" });
    expect(check(proof, row, [stranger.public_key, identity.public_key])).toMatchObject({ verdict: "proven" });
    const { checkpoint } = proofOf(42);
    const text = checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1);
    const name = logNameOf(identity.node_id, "signals");
    const resigned = [
      signNote(text, { ...stranger, name }),
      signNote(text, { ...identity, name: logNameOf(identity.node_id, "theses") }),
      signNote(text, { ...identity, name: "other" }),
      signNote(text.replace("\n300\n", "\n299\n"), { ...identity, name }).replace("\n299\n", "\n300\n"),
      signNote(text.replace(name, "intel-node/none/signals"), { ...identity, name: "intel-node/none/signals" }),
    ];
    for (const note of resigned) {
      const { verdict, claims } = check(renderLogProof({ ...proofOf(42), checkpoint: note }), row);
      expect(verdict).toBe("broken");
      expect(claims.filter((claim) => claim.endsWith(" proven"))).toEqual([]);
    }
    // Signatures of others beside it are theirs: they say nothing for it, and nothing against it.
    const witness = "— witness.example/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9\n";
    expect(check(`${proof}${witness}`, row)).toMatchObject({ verdict: "proven" });
    // But a second one under the node's own name must hold as well.
    const [last = ""] = proof.trimEnd().split("\n").slice(-1);
    const wrong = last.replace(/.{8}=$/, "AAAAAAA=");
    expect(check(`${proof}${wrong}\n`, row)).toMatchObject({ verdict: "broken" });
  });

  test("counts as cosigned by the witnesses that somebody trusts, and by no other", () => {
    const [proof = "", row] = [proofs[41], rows[41]];
    const witness = { ...stranger, name: "witness.example/w1" };
    const { checkpoint } = proofOf(42);
    const text = checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1);
    const judge = (proof_text: string, ...witnesses: readonly NoteKey[]) =>
      verifyLogProof(proof_text, { keys: [identity.public_key], evidence: row, witnesses }).verdict;
    const cosigned = `${proof}${cosign(text, witness, 1_793_000_000)}`;
    const other = { ...witness, name: "witness.example/w2" };
    expect([judge(proof), judge(cosigned), judge(cosigned, witness)]).toEqual(["proven", "proven", "proven"]);
    expect([judge(proof, witness), judge(cosigned, other), judge(cosigned, witness, other)]).toEqual([
      "unproven",
      "unproven",
      "unproven",
    ]);
    const of_another = `${proof}${cosign(text.replace("\n300\n", "\n299\n"), witness, 1_793_000_000)}`;
    expect(judge(of_another, witness)).toBe("unproven");
    const policy = parsePolicy(
      `witness w1 ${renderWitnessKey(witness)}\nwitness w2 ${renderWitnessKey({ ...identity, name: "b" })}\n` +
        "group acme any w1 w2\nquorum acme\n",
    );
    const judgeBy = (proof_text: string) =>
      verifyLogProof(proof_text, { keys: [identity.public_key], evidence: row, policy });
    expect([judgeBy(cosigned).verdict, judgeBy(proof).verdict, judgeBy(of_another).verdict]).toEqual([
      "proven",
      "unproven",
      "unproven",
    ]);
    expect(judgeBy(cosigned).claims.at(-1)?.detail).toContain("cosigned by w1; acme: 1 of 2, needs 1");
  });

  test("with any letter changed is not proven", () => {
    const [proof = "", row] = [proofs[255], rows[255]];
    for (let at = 0; at < proof.length; at += 1) {
      const letter = proof[at] === "A" ? "B" : "A";
      const edited = proof.slice(0, at) + letter + proof.slice(at + 1);
      expect({ at, verdict: check(edited, row).verdict }).toEqual({ at, verdict: "broken" });
    }
  });
});
