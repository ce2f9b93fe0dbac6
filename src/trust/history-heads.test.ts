import { describe, expect, test } from "bun:test";
import { createLongHistory, sellHistory, stateOutcome } from "../../test/helpers/long-history.ts";
import { createTestSigner } from "../../test/helpers/test-signer.ts";
import { createIdentity } from "../core/identity.ts";
import { logOutcomes } from "../records/history-trees.ts";
import type { WritableRecords } from "../records/record-chain.ts";
import { isSignedText } from "../records/signed-text.ts";
import { checkJoin } from "./check-join.ts";
import { createHistoryHeads, HISTORY_HEADS, SIGNED_HISTORY_HEAD } from "./history-heads.ts";
import { createNodeSigner } from "./node-signer.ts";
import { type KeptHead, readKeptHead } from "./track-form.ts";

const signer = createTestSigner();
const OF = { node_id: signer.node_id, chain: "signals" };
const headsOf = (records: WritableRecords, as = signer) =>
  createHistoryHeads({ records, signer: as, now_ms: () => 1_793_000_000_000 });

/** A week later: three more signals, and the open ones graded. */
async function liveOn(records: WritableRecords): Promise<void> {
  const open = await records.read("signals", { open: true });
  for (const { seq, record, record_hash } of open) {
    await records.settle({ chain: "signals", seq, outcome: stateOutcome(record, record_hash, "101.0") });
  }
  const [like] = await records.read("signals", { limit: 1 });
  for (let more = 0; more < 3; more++) {
    await records.append("signals", (link) => ({ ...like?.record, ...link }), like?.beside);
  }
  await logOutcomes(records, "signals");
}

async function joinOf(records: WritableRecords, kept: KeptHead, as = signer): Promise<unknown> {
  const from = { length: kept.length, outcomes: kept.outcome_log_size ?? null };
  return JSON.parse(JSON.stringify(await headsOf(records, as).join("signals", from)));
}

describe("heads of a history", () => {
  test("are signed when it has moved, log what was graded, and lie in a chain of their own", async () => {
    const { records } = await createLongHistory(30);
    const heads = headsOf(records);
    expect([await heads.sign(), await heads.sign()]).toEqual([1, 0]);
    const [open] = await records.read("signals", { open: true, limit: 1 });
    if (!open) throw new Error("nothing is open");
    await records.settle({
      chain: "signals",
      seq: open.seq,
      outcome: stateOutcome(open.record, open.record_hash, "101.0"),
    });
    expect(await heads.sign()).toBe(1);
    const shown = await heads.list("signals", 0);
    expect(shown.map(({ record }) => [record.chain_length, record.outcome_log_size])).toEqual([
      [30, 25],
      [30, 26],
    ]);
    for (const { signed_text, signature, public_key } of shown) {
      const text = signed_text.slice(signed_text.indexOf("\n") + 1);
      expect(isSignedText({ kind: SIGNED_HISTORY_HEAD, text, signature, public_key })).toBe(true);
    }
    expect((await records.head(HISTORY_HEADS)).length).toBe(2);
    expect(await heads.join("signals", { length: 31, outcomes: null })).toBeNull();
  });

  test("that were kept are joined to later ones: by length and hash, by an answer, by a signed head", async () => {
    const history = await createLongHistory(60);
    const { records } = history;
    await headsOf(records).sign();
    const [head] = await headsOf(records).list("signals", 0);
    const answer = { data: await sellHistory(history, 0) };
    await liveOn(records);
    for (const kept of [readKeptHead(answer), readKeptHead(head)]) {
      if (!kept) throw new Error("no head was kept");
      const claim = checkJoin(kept, await joinOf(records, kept), OF);
      expect([claim.state, claim.detail]).toEqual([
        "proven",
        "the 60 records and 55 outcomes of then are the first of now",
      ]);
      const bare = { length: kept.length, head: kept.head };
      expect(checkJoin(bare, await joinOf(records, bare), OF).state).toBe("proven");
    }
  });

  test("of a history that was rewritten, or signed by somebody else, are not joined", async () => {
    const history = await createLongHistory(60);
    const kept = readKeptHead({ data: await sellHistory(history, 0) });
    if (!kept) throw new Error("no head was kept");
    const stateOf = async (records: WritableRecords, of = kept, as = signer) =>
      checkJoin(of, await joinOf(records, of, as), OF).state;
    await liveOn(history.records);
    expect(await stateOf(history.records)).toBe("proven");
    const other = await createLongHistory(60, "61.2");
    await liveOn(other.records);
    expect(await stateOf(other.records)).toBe("broken");
    // The same records, and other outcomes than were stated then.
    expect(await stateOf(history.records, { ...kept, outcome_log_root: "0".repeat(64) })).toBe("broken");
    expect(await stateOf(history.records, { ...kept, records_root: "0".repeat(64) })).toBe("broken");
    expect(await stateOf(history.records, kept, createNodeSigner(createIdentity()))).toBe("broken");
    const join = (await joinOf(history.records, kept)) as { head: { record: { chain_length: number } } };
    join.head.record.chain_length += 1;
    expect(checkJoin(kept, join, OF).state).toBe("broken");
    expect(checkJoin({ ...kept, length: 99 }, await joinOf(history.records, kept), OF).state).toBe("broken");
    for (const none of [null, 1, {}, { head: {} }]) expect(checkJoin(kept, none, OF).state).toBe("unproven");
  });
});
