import { createIdentity } from "../../../src/core/identity.ts";
import { createMemoryRecords } from "../../../src/records/memory-records.ts";
import { createSimulatedCalendar, SIMULATED_CALENDAR } from "../../../src/sandbox/simulated-calendar.ts";
import { createAnchors, type ShownAnchor, SIGNED_ANCHOR } from "../../../src/trust/anchors.ts";
import { HISTORY_HEADS } from "../../../src/trust/history-heads.ts";
import { createNodeSigner } from "../../../src/trust/node-signer.ts";
import type { KnownBlock } from "../../../src/trust/ots/block-header.ts";
import { readProof } from "../../../src/trust/ots/timestamp.ts";
import { listAttested } from "../../../src/trust/ots/walk.ts";
import { statementOf } from "../../../src/trust/receipt-seals.ts";
import { verifyAnchor } from "../../../src/trust/verify-anchor.ts";
import { createTestSigner } from "../test-signer.ts";
import type { Artefact, Edit, Loose } from "./artefact.ts";

const DAY_MS = 86_400_000;
const signer = createTestSigner();
const stranger = createNodeSigner(createIdentity());

/** Two of one node, of a day each, in a block each. */
async function make(): Promise<readonly [ShownAnchor, ShownAnchor]> {
  let time_ms = Date.parse("2026-11-27T12:00:00Z");
  const now_ms = () => time_ms;
  const calendar = createSimulatedCalendar(now_ms);
  const records = createMemoryRecords(now_ms);
  const anchors = createAnchors({
    records,
    signer,
    now_ms,
    calendars: [SIMULATED_CALENDAR],
    every_ms: DAY_MS,
    async ask(url, body) {
      const answer = await calendar({ url, ...(body === null ? {} : { method: "POST", body }) });
      return answer.ok ? answer : { failed: answer.reason };
    },
  });
  for (let day = 0; day < 2; day += 1) {
    await records.append(HISTORY_HEADS, (link) => ({ v: 1, ...link, of: "signals" }));
    await anchors.run();
    time_ms += DAY_MS;
    await anchors.run();
  }
  const [genuine, other] = await anchors.list(0);
  if (!genuine || !other) throw new Error("they were not made");
  return JSON.parse(JSON.stringify([genuine, other]));
}

/** The blocks that both are under: whoever verifies knows them. */
const blocksOf = ({ ots }: ShownAnchor): readonly KnownBlock[] =>
  listAttested(readProof(Buffer.from(ots ?? "", "base64")).timestamp).flatMap(({ message, attestation }) =>
    attestation.kind === "bitcoin" ? [{ height: attestation.height, merkle_root: message, time_ms: null }] : [],
  );
const made = await make();
const BLOCKS = made.flatMap(blocksOf);
const judge = (given: unknown) =>
  verifyAnchor(given, { isKeyOf: (public_key) => public_key === signer.public_key, blocks: BLOCKS });

/** Whether each member that is there says what the same one of the node's says. */
const isSaidBy = (edited: Loose, genuine: ShownAnchor): boolean =>
  Object.entries(genuine)
    .filter(([name]) => name !== "ots" && edited?.[name] !== undefined)
    .every(([name, value]) => Bun.deepEquals(edited[name], value)) && edited?.record !== undefined;

const edit = (name: string, forge: (anchor: Loose, other: Loose) => unknown): Edit => ({ name, edit: forge });
const signAs = (anchor: Loose, by: typeof signer): void => {
  anchor.signature = by.sign(SIGNED_ANCHOR, statementOf(anchor.record));
  anchor.public_key = by.public_key;
};
const turnByte = (base64: string, place: number): string => {
  const bytes = Buffer.from(base64, "base64");
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return bytes.toString("base64");
};

export const ANCHOR_ARTEFACT: Artefact = {
  kind: "public timestamp",
  share: 1,
  make: async () => structuredClone(made),
  check: async (given) => (judge(given).verdict === "proven" ? ["proven"] : []),
  async judge(edited) {
    const is_forged = !made.some((one) => isSaidBy(edited, one));
    return { is_forged, passed: is_forged && judge(edited).verdict === "proven" ? ["proven"] : [] };
  },
  targeted: [
    edit("an earlier time", ({ record }) => {
      record.anchored_at = "2020-01-01T00:00:00Z";
    }),
    edit("another head", ({ record }) => {
      record.chains[HISTORY_HEADS].head = "0".repeat(64);
    }),
    edit("another root", ({ record }) => {
      record.histories.signals.records_root = "1".repeat(64);
    }),
    edit("the record of another one", (anchor, { record }) => {
      anchor.record = record;
    }),
    edit(
      "record and hash of another one",
      (anchor, { record, record_hash }) => Object.assign(anchor, { record, record_hash }) && undefined,
    ),
    edit("the earlier block for the later statement", (anchor, other) => ({ ...other, ots: anchor.ots })),
    edit("another block beside it", (anchor) => {
      anchor.bitcoin_blocks = [1];
    }),
    edit("no calendar beside it", (anchor) => {
      anchor.pending_at = [];
    }),
    edit("another text beside it", (anchor) => {
      anchor.statement = "{}";
    }),
    edit("another signed text beside it", (anchor) => {
      anchor.signed_text += " ";
    }),
    edit("re-signed by a stranger", (anchor) => {
      anchor.record.anchored_at = "2020-01-01T00:00:00Z";
      signAs(anchor, stranger);
    }),
    edit("a stranger's, who takes the node's name along", (anchor) => {
      anchor.record.node_id = stranger.node_id;
      signAs(anchor, stranger);
    }),
    edit("re-signed by the node, with the old proof", (anchor) => {
      anchor.record.anchored_at = "2020-01-01T00:00:00Z";
      signAs(anchor, signer);
    }),
    edit("a byte of the proof, and an earlier time", (anchor) => {
      anchor.record.anchored_at = "2020-01-01T00:00:00Z";
      anchor.ots = turnByte(anchor.ots, 40);
    }),
  ],
};
