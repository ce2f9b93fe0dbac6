import { expect, test } from "bun:test";
import { createIdentity } from "../core/identity.ts";
import { createMemoryRecords } from "../records/memory-records.ts";
import { isSignedText } from "../records/signed-text.ts";
import { createNodeSigner } from "./node-signer.ts";
import { createStandInBook, STAND_IN_EVIDENCE } from "./stand-in-book.ts";

const FACTS = {
  node_id: "in1peer",
  url: "https://peer.example",
  product: "rate",
  amount: 8_000n,
  network: "eip155:8453",
  pay_to: "0x1",
};
const OUTCOME = { receipt_id: null, latency_ms: 12.5, why: null } as const;
const createBook = () => {
  const time = { now_ms: Date.UTC(2026, 10, 28, 23) };
  const signer = createNodeSigner(createIdentity());
  const records = createMemoryRecords(() => time.now_ms);
  return { time, signer, book: createStandInBook({ records, signer, now_ms: () => time.now_ms }) };
};

test("purchases at once never pass the day's sum; what nobody closed counts, and so does what was lost", async () => {
  const { book, time } = createBook();
  const begun = await Promise.all([1, 2, 3, 4].map(() => book.begin(FACTS, 20_000n)));
  expect(begun.filter((seq) => seq !== null)).toEqual([1, 2]);
  await book.end(1, { ...OUTCOME, ended: "unusable", no_charge: null });
  expect(await book.spentToday()).toBe(16_000n);
  time.now_ms += 3_600_000;
  expect(await book.spentToday()).toBe(0n);
  expect(await book.begin(FACTS, 20_000n)).toBe(3);
});

test("what a peer signed it did not take is there to be spent again", async () => {
  const { book } = createBook();
  const seq = await book.begin(FACTS, 8_000n);
  expect(await book.begin(FACTS, 8_000n)).toBeNull();
  await book.end(seq ?? 0, { ...OUTCOME, ended: "refused", no_charge: "a.b.c" });
  expect(await book.begin(FACTS, 8_000n)).toBe(2);
});

test("evidence is signed by this node, with what the peer signed inside", async () => {
  const { book, signer } = createBook();
  const { node_id, url, product } = FACTS;
  const differences = [{ path: "/rate", own: "1", peer: "6" }];
  const sums = { peer_sha256: "a".repeat(64), own_sha256: "b".repeat(64) };
  await book.accuse({ node_id, url, product, as_of: "2026-11-28T00:00:00Z", receipt: "h.p.s", ...sums, differences });
  const [check] = await book.checks(0);
  if (!check?.evidence) throw new Error("no evidence");
  expect(isSignedText({ kind: STAND_IN_EVIDENCE, ...check.evidence })).toBe(true);
  expect(check.evidence.public_key).toBe(signer.public_key);
  expect(JSON.parse(check.evidence.text)).toMatchObject({ by: signer.node_id, receipt: "h.p.s", differences });
});
