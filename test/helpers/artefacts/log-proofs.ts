import { createIdentity } from "../../../src/core/identity.ts";
import { hashRecord } from "../../../src/records/record-chain.ts";
import { logNameOf } from "../../../src/trust/checkpoints.ts";
import { createHistoryLogs } from "../../../src/trust/history-logs.ts";
import { type LogProof, readLogProof, renderLogProof } from "../../../src/trust/log-proof.ts";
import { signNote } from "../../../src/trust/signed-note.ts";
import { verifyLogProof } from "../../../src/trust/verify-log-proof.ts";
import { createLongHistory, listEvidence } from "../long-history.ts";
import type { Artefact, Edit, Loose } from "./artefact.ts";

const LENGTH = 60;
/** Records that are open still. */
const OPEN = 5;
const DAY_MS = 86_400_000;
const identity = createIdentity();
const stranger = createIdentity();

/** Two records of one history, and two outcomes of it, each with the file that proves its place. */
async function make() {
  const { records, now_ms } = await createLongHistory(LENGTH);
  const { proofs } = createHistoryLogs({ records, identity, now_ms: () => now_ms + 2 * DAY_MS });
  const rows = await listEvidence(records);
  const read = async (log: string, place: number): Promise<string> => {
    const proof = await proofs.read(log, place);
    if (proof === null) throw new Error(`there is no place ${place}`);
    return proof;
  };
  const makeOne = async (seq: number) => {
    const row = rows[seq - 1];
    if (!row) throw new Error(`there is no record ${seq}`);
    return { proof: await read("signals", seq), row: { record: row.record, record_hash: row.record_hash } };
  };
  const makeOutcome = async (place: number) => {
    const row = rows.find(({ outcome_seq }) => outcome_seq === place);
    if (!row) throw new Error(`there is no outcome ${place}`);
    const { seq: _, ...shown } = row;
    return { proof: await read("signals/outcomes", place), row: shown };
  };
  return {
    records: [await makeOne(42), await makeOne(43)] as const,
    outcomes: [await makeOutcome(17), await makeOutcome(18)] as const,
  };
}
const { records: made, outcomes: stated } = await make();

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

const isOutcomeSaidBy = (edited: Loose, { proof, row }: (typeof stated)[0]): boolean => {
  const given = edited?.row;
  const isAsStated = (hash: unknown, own: unknown): boolean => hash === undefined || hash === own;
  return (
    edited?.proof === proof &&
    Bun.deepEquals(given?.record, row.record) &&
    Bun.deepEquals(given.outcome, row.outcome) &&
    given.outcome_seq === row.outcome_seq &&
    isAsStated(given.record_hash, row.record_hash) &&
    isAsStated(given.outcome_hash, row.outcome_hash)
  );
};

/** The same of what came of records, in the log of outcomes. */
export const OUTCOME_PROOF_ARTEFACT: Artefact = {
  kind: "place in a log of outcomes",
  share: 1,
  make: async () => structuredClone([...stated]) as [unknown, unknown],
  check: async (given) => (judge(given).verdict === "proven" ? ["proven"] : []),
  async judge(edited) {
    const is_forged = !stated.some((one) => isOutcomeSaidBy(edited, one));
    return { is_forged, passed: is_forged && judge(edited).verdict === "proven" ? ["proven"] : [] };
  },
  targeted: [
    edit("another result", ({ row }) => {
      row.outcome.hit = !row.outcome.hit;
    }),
    edit("another result with its hash", ({ row }) => {
      row.outcome.hit = !row.outcome.hit;
      row.outcome_hash = hashRecord(row.outcome);
    }),
    edit("another side", ({ row }) => {
      row.record.side = row.record.side === "long" ? "short" : "long";
    }),
    edit("another number", ({ row }) => {
      row.outcome_seq += 1;
    }),
    edit("the outcome of another one", (copy, { row }) => {
      Object.assign(copy.row, { outcome: row.outcome, outcome_hash: row.outcome_hash });
    }),
    edit("the record of another one", (copy, { row }) => {
      Object.assign(copy.row, { record: row.record, record_hash: row.record_hash });
    }),
    edit("the proof of another one", (copy, { proof }) => {
      copy.proof = proof;
    }),
    edit("the proof of a record", (copy) => {
      copy.proof = made[0].proof;
    }),
    change("another place", ({ index }) => ({ index: index + 1 })),
    change("a shorter path", ({ audit_path }) => ({ audit_path: audit_path.slice(1) })),
    change("another entry beside it", (_, { extra }) => ({ extra })),
    change("another size", ({ checkpoint }) => ({
      checkpoint: checkpoint.replace(`\n${LENGTH - OPEN}\n`, "\n54\n"),
    })),
    change("the log of records", ({ checkpoint }) => ({
      checkpoint: checkpoint.replaceAll("/signals/outcomes", "/signals"),
    })),
    change("no signature", (proof) => ({ checkpoint: `${textOf(proof)}\n` })),
  ],
};
