import { createIdentity } from "../../../src/core/identity.ts";
import { logNameOf } from "../../../src/trust/checkpoints.ts";
import { createHistoryLogs } from "../../../src/trust/history-logs.ts";
import { type LogProof, readLogProof, renderLogProof } from "../../../src/trust/log-proof.ts";
import { signNote } from "../../../src/trust/signed-note.ts";
import { verifyLogProof } from "../../../src/trust/verify-log-proof.ts";
import { createLongHistory, listEvidence } from "../long-history.ts";
import type { Artefact, Edit, Loose } from "./artefact.ts";

const LENGTH = 60;
const identity = createIdentity();
const stranger = createIdentity();

/** Two records of one history, each with the file that proves its place. */
async function make() {
  const { records } = await createLongHistory(LENGTH);
  const { proofs } = createHistoryLogs({ records, identity, now_ms: () => 0 });
  const rows = await listEvidence(records);
  const makeOne = async (seq: number) => {
    const row = rows[seq - 1];
    const proof = await proofs.read("signals", seq);
    if (!row || proof === null) throw new Error(`there is no record ${seq}`);
    return { proof, row: { record: row.record, record_hash: row.record_hash } };
  };
  return [await makeOne(42), await makeOne(43)] as const;
}
const made = await make();

const judge = ({ proof, row }: Loose) =>
  verifyLogProof(typeof proof === "string" ? proof : "", { keys: [identity.public_key], evidence: row });
const isSaidBy = (edited: Loose, { proof, row }: (typeof made)[0]): boolean =>
  edited?.proof === proof &&
  Bun.deepEquals(edited?.row?.record, row.record) &&
  (edited.row.record_hash === undefined || edited.row.record_hash === row.record_hash);

const edit = (name: string, forge: (copy: Loose, other: Loose) => unknown): Edit => ({ name, edit: forge });
/** The proof with some of its parts changed. */
const change = (name: string, forge: (proof: LogProof, other: LogProof) => Partial<LogProof>): Edit =>
  edit(name, (copy, other) => {
    const [proof, another] = [readLogProof(copy.proof), readLogProof(other.proof)];
    if (!proof || !another) throw new Error("it is no proof");
    copy.proof = renderLogProof({ ...proof, ...forge(proof, another) });
  });
const textOf = ({ checkpoint }: LogProof): string => checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1);
const NAME = logNameOf(identity.node_id, "signals");

export const LOG_PROOF_ARTEFACT: Artefact = {
  kind: "place in a log",
  share: 1,
  make: async () => structuredClone([...made]) as [unknown, unknown],
  check: async (given) => (judge(given).verdict === "proven" ? ["proven"] : []),
  async judge(edited) {
    const is_forged = !made.some((one) => isSaidBy(edited, one));
    return { is_forged, passed: is_forged && judge(edited).verdict === "proven" ? ["proven"] : [] };
  },
  targeted: [
    edit("another side", ({ row }) => {
      row.record.side = row.record.side === "long" ? "short" : "long";
    }),
    edit("another number", ({ row }) => {
      row.record.seq += 1;
    }),
    edit("the record of another one", (copy, { row }) => {
      copy.row = row;
    }),
    edit("the proof of another one", (copy, { proof }) => {
      copy.proof = proof;
    }),
    edit("the hash of another one", (copy, { row }) => {
      copy.row.record_hash = row.record_hash;
    }),
    change("another place", ({ index }) => ({ index: index + 1 })),
    change("a place beyond the end", ({ index }) => ({ index: index + LENGTH })),
    change("another path", (_, { audit_path }) => ({ audit_path })),
    change("a shorter path", ({ audit_path }) => ({ audit_path: audit_path.slice(1) })),
    change("a longer path", ({ audit_path }) => ({ audit_path: [...audit_path, "0".repeat(64)] })),
    change("another hash beside it", (_, { extra }) => ({ extra })),
    change("another size", ({ checkpoint }) => ({ checkpoint: checkpoint.replace(`\n${LENGTH}\n`, "\n59\n") })),
    change("another log", ({ checkpoint }) => ({ checkpoint: checkpoint.replaceAll("/signals", "/theses") })),
    change("signed by a stranger under the node's name", (proof) => ({
      checkpoint: signNote(textOf(proof), { ...stranger, name: NAME }),
    })),
    change("a stranger's log", (proof) => {
      const name = logNameOf(stranger.node_id, "signals");
      return { checkpoint: signNote(textOf(proof).replace(NAME, name), { ...stranger, name }) };
    }),
    change("the node's signature for another log", (proof) => ({
      checkpoint: signNote(textOf(proof), { ...identity, name: logNameOf(identity.node_id, "theses") }),
    })),
    change("no signature", (proof) => ({ checkpoint: `${textOf(proof)}\n` })),
  ],
};
