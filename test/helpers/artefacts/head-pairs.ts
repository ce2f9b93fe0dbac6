import { canonicalJSON } from "../../../src/core/hash.ts";
import { createIdentity, type NodeIdentity } from "../../../src/core/identity.ts";
import { createHistoryHeads, SIGNED_HISTORY_HEAD } from "../../../src/trust/history-heads.ts";
import { createNodeSigner } from "../../../src/trust/node-signer.ts";
import { readContradiction } from "../../../src/trust/signed-heads.ts";
import { createLongHistory } from "../long-history.ts";
import type { Artefact, Edit, Loose } from "./artefact.ts";

const NOW_MS = 1_793_000_000_000;
const HOUR_MS = 3_600_000;
const [liar, other_liar, stranger] = [createIdentity(), createIdentity(), createIdentity()];

const signHead = async (identity: NodeIdentity, length: number, { alpha = "66.4", now_ms = NOW_MS } = {}) => {
  const { records } = await createLongHistory(length, alpha);
  const signer = createNodeSigner(identity);
  const joined = await createHistoryHeads({ records, signer, now_ms: () => now_ms }).join("signals", {
    length: 1,
    outcomes: null,
  });
  return JSON.parse(JSON.stringify(joined?.head));
};
/** A node that shows other records of one length: what is held against it are its own two signatures. */
const pairOf = async (identity: NodeIdentity): Promise<Loose> => ({
  heads: [await signHead(identity, 30), await signHead(identity, 30, { alpha: "61.2" })],
});
/** One that grew: nothing is wrong with it, and an edit must not make it so. */
const honest = signHead(stranger, 30);
const grown = signHead(stranger, 40, { now_ms: NOW_MS + HOUR_MS });
const pairs = Promise.all([pairOf(liar), pairOf(other_liar)]);

const MEMBERS = ["node_id", "of", "chain_length", "chain_head", "records_root", "outcome_log_size"];
/** What a head says, by the members that are signed. */
function saidBy(head: Loose): string | null {
  const record = head?.record;
  if (typeof record !== "object" || record === null) return null;
  return canonicalJSON(
    [...MEMBERS, "outcome_log_root", "signed_at"].map((name) => record[name] ?? null).concat(head.public_key ?? null),
  );
}
const edit = (name: string, forge: (heads: Loose[], other: Loose) => unknown): Edit => ({
  name,
  edit: (copy, other) => void forge(copy.heads, other.heads),
});
const bend = (member: string, value: unknown): Edit =>
  edit(`another ${member}`, ([one]) => {
    one.record[member] = value;
  });
const resign = (head: Loose, as: NodeIdentity): void => {
  const { v, seq, prev_hash, ...stated } = head.record;
  head.signature = createNodeSigner(as).sign(SIGNED_HISTORY_HEAD, canonicalJSON(stated));
};

/** Two heads that are handed on as proof against the node that signed them. */
export const HEAD_PAIR_ARTEFACT: Artefact = {
  kind: "pair of heads",
  share: 1,
  targeted: [
    bend("chain_length", 31),
    bend("chain_head", "0".repeat(64)),
    bend("records_root", "0".repeat(64)),
    bend("outcome_log_size", 1),
    bend("outcome_log_root", "0".repeat(64)),
    bend("signed_at", "2026-01-01T00:00:00Z"),
    bend("of", "theses"),
    bend("node_id", stranger.node_id),
    edit("a head of another node", (heads, other) => {
      heads[1] = other[1];
    }),
    edit("the signature of the other head", ([one, two]) => {
      one.signature = two.signature;
    }),
    edit("another root, signed by a stranger", ([one]) => {
      one.record.records_root = "1".repeat(64);
      resign(one, stranger);
    }),
    edit("another root under a stranger's key", ([one]) => {
      one.record.records_root = "1".repeat(64);
      resign(one, stranger);
      one.public_key = stranger.public_key;
    }),
    edit("a stranger's head in the node's name", ([one, two]) => {
      two.record.chain_length = one.record.chain_length;
      two.record.node_id = stranger.node_id;
      two.public_key = stranger.public_key;
    }),
    edit("a head for another chain, signed as such", (heads) => {
      heads[1].record.of = "receipts";
      resign(heads[1], liar);
    }),
  ],
  make: () => pairs,
  check: async (given) => (readContradiction((given as Loose)?.heads) === null ? [] : ["contradicts"]),
  async judge(edited) {
    const signed = new Set((await pairs).flatMap(({ heads }) => heads.map(saidBy)));
    const heads = (edited as Loose)?.heads;
    const is_forged = !Array.isArray(heads) || heads.length !== 2 || !heads.every((head) => signed.has(saidBy(head)));
    const passed = readContradiction(heads) === null ? [] : ["contradicts"];
    return { is_forged, passed: is_forged ? passed : [] };
  },
};

/** Two heads of a node that only grew. */
export const makeHonestPair = async (): Promise<readonly unknown[]> => [await honest, await grown];
