import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelState, ChannelStep, NewChannel, NewMove } from "../../src/ledger/channel-rows.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { closeBooksAfterEach, ENGINE, failureOf, openBooks, runOnBooks } from "../helpers/open-books.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const NETWORK = "eip155:84532";
const TX = `0x${"1".repeat(64)}`;
const clock = createStillClock();
let directory = "";
let file = "";
let ledger: Ledger;

const idOf = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
const channelOf = (n: number): NewChannel => ({
  id: idOf(n),
  network: NETWORK,
  token: "0xusdc",
  payer: `0xpayer${n}`,
  receiver: "0xseller",
  config: JSON.stringify({ n }),
  label: "organic",
});
const stateOf = (balance: bigint, total_claimed = 0n, more: Partial<ChannelState> = {}): ChannelState => ({
  balance,
  total_claimed,
  withdraw_requested_at: 0,
  refund_nonce: 0n,
  ...more,
});
const stepOf = (n: number, signed: bigint, amount: bigint): ChannelStep => ({
  channel: idOf(n),
  signed,
  amount,
  signature: `0xsigned${signed}`,
  product: "/one",
  fingerprint: "f",
  voucher_sha256: `sha${signed}`,
  identifier: null,
  proof: null,
});
const depositOf = (n: number, amount: bigint, step: ChannelStep | null): NewMove => ({
  kind: "deposit",
  channel: idOf(n),
  amount,
  facilitator: "f1",
  valid_until_ms: clock.now() + 300_000,
  step: step && { ...step, body: `{"answer":${step.signed}}` },
  opening: { channel: channelOf(n), state: stateOf(0n) },
});
const charge = (n: number, signed: bigint, amount: bigint) =>
  ledger.channels.charge(stepOf(n, signed, amount), { body: `{"answer":${signed}}` });

/** A channel with 1000 in it, of which 10 paid for the first answer. */
async function fund(n: number): Promise<void> {
  const begun = await ledger.channels.begin(depositOf(n, 1_000n, stepOf(n, 10n, 10n)));
  if (!begun.ok) throw new Error(begun.why);
  await ledger.channels.end(begun.id, { state: "done", chain_transaction: TX, now: stateOf(1_000n) });
}
async function audited(): Promise<void> {
  const report = await ledger.audit();
  expect(report.findings).toEqual([]);
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "channels-"));
  file = join(directory, "ledger.db");
  ledger = await openBooks({ file, clock });
});
closeBooksAfterEach();
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a deposit", () => {
  test("is its payer's money, and charges the voucher it came with when it has landed", async () => {
    await fund(1);
    const row = await ledger.channels.get(idOf(1));
    expect(row).toMatchObject({ deposited: 1_000n, charged: 10n, signed: 10n, claimed: 0n, open_move: null });
    const step = await ledger.channels.findStep(idOf(1), 10n);
    expect(step).toMatchObject({
      amount: 10n,
      body: '{"answer":10}',
      deposit: { amount: 1_000n, chain_transaction: TX },
    });
    expect(await ledger.channels.totals()).toMatchObject([
      { network: NETWORK, channels: 1, owed: 990n, earned: 10n, unclaimed: 10n, unswept: 0n, swept: 0n },
    ]);
    await audited();
  });

  test("that fails leaves nothing, however many come", async () => {
    for (let n = 1; n <= 50; n += 1) {
      const begun = await ledger.channels.begin(depositOf(n, 1_000n, stepOf(n, 10n, 10n)));
      if (!begun.ok) throw new Error(begun.why);
      await ledger.channels.end(begun.id, { state: "failed", reason: "refused" });
    }
    expect(await ledger.channels.totals()).toEqual([]);
    await audited();
  });

  test("whose outcome is open holds the channel, over a restart too", async () => {
    await fund(1);
    const begun = await ledger.channels.begin({ ...depositOf(1, 500n, stepOf(1, 20n, 10n)), opening: null });
    if (!begun.ok) throw new Error(begun.why);
    expect(await charge(1, 20n, 10n)).toMatchObject({ ok: false, why: "busy" });
    expect(await ledger.channels.begin({ ...depositOf(1, 500n, stepOf(1, 20n, 10n)), opening: null })).toMatchObject({
      ok: false,
      why: "busy",
    });
    await ledger.close();
    ledger = await openBooks({ file, clock });
    expect(await ledger.channels.recover()).toBe(1);
    const [open] = await ledger.channels.openMoves(10);
    expect(open).toMatchObject({ id: begun.id, state: "unknown", amount: 500n, balance_before: 1_000n });
    await ledger.channels.end(begun.id, { state: "done", chain_transaction: TX, now: stateOf(1_500n) });
    expect(await ledger.channels.get(idOf(1))).toMatchObject({ deposited: 1_500n, charged: 20n, open_move: null });
    expect(await ledger.channels.end(begun.id, { state: "failed", reason: "late" })).toMatchObject({
      deposited: 1_500n,
    });
    await audited();
  });
});

describe("a voucher", () => {
  test("is accepted once, however many come at once", async () => {
    await fund(1);
    const results = await Promise.all(Array.from({ length: 64 }, () => charge(1, 20n, 10n)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter((result) => !result.ok && result.why === "moved_on")).toHaveLength(63);
    expect(await ledger.channels.get(idOf(1))).toMatchObject({ charged: 20n, signed: 20n, signature: "0xsigned20" });
    await audited();
  });

  test.if(ENGINE === "postgres")("is accepted by one of two nodes on one ledger, never by both", async () => {
    await fund(1);
    const other = await openBooks({ file, clock });
    for (let n = 1n; n <= 20n; n += 1n) {
      const step = stepOf(1, 10n + 10n * n, 10n);
      const both = await Promise.all(
        [ledger, other].map((books) => books.channels.charge(step, { body: `{"answer":${n}}` })),
      );
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    }
    expect(await other.channels.get(idOf(1))).toMatchObject({ charged: 210n, signed: 210n });
    await audited();
  });

  test("that does not go on from what was charged changes nothing", async () => {
    await fund(1);
    expect(await charge(1, 30n, 10n)).toMatchObject({ ok: false, why: "moved_on" });
    expect(await charge(1, 10n, 10n)).toMatchObject({ ok: false, why: "moved_on" });
    expect(await charge(1, 1_020n, 1_010n)).toMatchObject({ ok: false, why: "balance" });
    expect(await charge(2, 10n, 10n)).toMatchObject({ ok: false, why: "missing", channel: null });
    expect(await charge(1, 1_000n, 990n)).toMatchObject({ ok: true });
    await audited();
  });
});

describe("claims and sweeps", () => {
  test("move what was earned to the wallet, never more", async () => {
    await fund(1);
    await fund(2);
    await charge(1, 110n, 100n);
    expect((await ledger.channels.unclaimed(10)).map(({ id }) => id)).toEqual([idOf(2), idOf(1)]);
    const claims = [
      { channel: idOf(1), total: 110n },
      { channel: idOf(2), total: 999n },
    ];
    expect(await ledger.channels.claimed(claims, TX)).toBe(120n);
    expect(await ledger.channels.claimed(claims, TX)).toBe(0n);
    expect(await ledger.channels.unclaimed(10)).toEqual([]);
    expect(await ledger.channels.swept(NETWORK, 100n, TX)).toBe(100n);
    expect(await ledger.channels.swept(NETWORK, 1_000n, TX)).toBe(20n);
    expect(await ledger.channels.totals()).toMatchObject([{ earned: 120n, unclaimed: 0n, unswept: 0n, swept: 120n }]);
    await audited();
  });
});

describe("what the chain says", () => {
  test("opens a channel that the books have lost, without counting its earlier claims as sales", async () => {
    const row = await ledger.channels.open(channelOf(1), stateOf(1_000n, 300n));
    expect(row).toMatchObject({ deposited: 1_000n, base: 300n, charged: 300n, signed: 300n, claimed: 300n });
    expect(await charge(1, 310n, 10n)).toMatchObject({ ok: true });
    expect(await ledger.channels.totals()).toMatchObject([{ owed: 690n, earned: 10n, unclaimed: 10n }]);
    await audited();
  });

  test("before somebody else opened a channel takes nothing of it away", async () => {
    await fund(1);
    const before = await ledger.channels.get(idOf(1));
    // Another node that looked when nothing was there yet: by deposit, and by voucher.
    const begun = await ledger.channels.begin(depositOf(1, 1_000n, stepOf(1, 10n, 10n)));
    expect(begun).toMatchObject({ ok: false, why: "busy" });
    await ledger.channels.open(channelOf(1), stateOf(0n));
    expect(await ledger.channels.get(idOf(1))).toEqual(before);
    expect(await charge(1, 20n, 10n)).toMatchObject({ ok: true });
    await audited();
  });

  test("a refund gives the rest back, and claims what was earned", async () => {
    await fund(1);
    const begun = await ledger.channels.begin({
      kind: "refund",
      channel: idOf(1),
      amount: 990n,
      facilitator: "f1",
      valid_until_ms: 0,
      step: null,
      opening: null,
    });
    if (!begun.ok) throw new Error(begun.why);
    const now = stateOf(10n, 10n, { refund_nonce: 1n });
    await ledger.channels.end(begun.id, { state: "done", chain_transaction: TX, now });
    expect(await ledger.channels.get(idOf(1))).toMatchObject({ refunded: 990n, claimed: 10n, refund_nonce: 1n });
    expect(await charge(1, 20n, 10n)).toMatchObject({ ok: false, why: "balance" });
    await audited();
  });

  test("what was withdrawn before it was claimed is a loss, and ends the channel", async () => {
    await fund(1);
    await charge(1, 110n, 100n);
    await ledger.channels.sync(idOf(1), stateOf(1_000n, 0n, { withdraw_requested_at: 5 }));
    expect(await ledger.channels.get(idOf(1))).toMatchObject({ withdraw_at: 5 });
    await ledger.channels.sync(idOf(1), stateOf(30n, 10n));
    expect(await ledger.channels.get(idOf(1))).toMatchObject({ refunded: 970n, lost: 80n, claimed: 10n });
    expect(await charge(1, 120n, 10n)).toMatchObject({ ok: false, why: "closed" });
    expect(await ledger.channels.claimed([{ channel: idOf(1), total: 110n }], TX)).toBe(20n);
    expect(await ledger.channels.totals()).toMatchObject([{ owed: 0n, earned: 30n, lost: 80n, unclaimed: 0n }]);
    await audited();
  });
});

test("the audit finds a channel that was tampered with", async () => {
  await fund(1);
  await charge(1, 20n, 10n);
  await ledger.close();
  await runOnBooks(file, ["UPDATE channels SET deposited = deposited + 1"]);
  ledger = await openBooks({ file, clock });
  const { findings } = await ledger.audit();
  expect(findings.map(({ rule }) => rule)).toContain("I12");
  expect((await failureOf(runOnBooks(file, ["UPDATE channel_steps SET amount = 1"]))).message).toContain("final");
});

describe("a charge below what a voucher allows", () => {
  const chargeLess = (signed: bigint, amount: bigint, less: bigint) =>
    ledger.channels.charge({ ...stepOf(1, signed, amount), charge: less }, { body: `{"answer":${signed}}` });

  test("is what is earned; the next voucher goes on from it, be it lower than the one before", async () => {
    await fund(1);
    expect(await chargeLess(110n, 100n, 30n)).toMatchObject({ ok: true, channel: { charged: 40n, signed: 110n } });
    expect(await ledger.channels.findStep(idOf(1), 110n)).toMatchObject({ amount: 30n, allowed: 100n, signed: 110n });
    expect(await charge(1, 120n, 10n)).toMatchObject({ ok: false, why: "moved_on" });
    const next = await charge(1, 60n, 20n);
    // The highest voucher is kept: it covers whatever is claimed.
    expect(next).toMatchObject({ ok: true, channel: { charged: 60n, signed: 110n, signature: "0xsigned110" } });
    expect(await ledger.channels.totals()).toMatchObject([{ earned: 60n, owed: 940n, unclaimed: 60n }]);
    await audited();
  });

  test("leaves the same voucher worthless: it never buys a second answer", async () => {
    await fund(1);
    await chargeLess(110n, 100n, 30n);
    expect(await charge(1, 110n, 70n)).toMatchObject({ ok: false, why: "used", channel: { charged: 40n } });
    await audited();
  });

  test("is never above it", async () => {
    await fund(1);
    expect(await failureOf(chargeLess(110n, 100n, 101n))).toMatchObject({ code: "ledger_unavailable" });
    if (ENGINE === "serving") expect(ledger.halted).toContain("I12");
  });

  test("gives the rest back: all that was not charged is refunded, and the channel goes on", async () => {
    await fund(1);
    await chargeLess(1_000n, 990n, 90n);
    const begun = await ledger.channels.begin({ ...depositOf(1, 900n, null), kind: "refund", opening: null });
    if (!begun.ok) throw new Error(begun.why);
    const now = stateOf(100n, 100n, { refund_nonce: 1n });
    const after = await ledger.channels.end(begun.id, { state: "done", chain_transaction: TX, now });
    expect(after).toMatchObject({ charged: 100n, signed: 1_000n, claimed: 100n, refunded: 900n, lost: 0n });
    await audited();
  });

  test("of a voucher with a deposit is in the books before it is sent", async () => {
    const begun = await ledger.channels.begin(depositOf(2, 1_000n, { ...stepOf(2, 100n, 100n), charge: 7n }));
    if (!begun.ok) throw new Error(begun.why);
    await ledger.channels.end(begun.id, { state: "unknown", reason: "silence", chain_transaction: null });
    await ledger.channels.end(begun.id, { state: "done", chain_transaction: TX, now: stateOf(1_000n) });
    expect(await ledger.channels.get(idOf(2))).toMatchObject({ charged: 7n, signed: 100n });
    await audited();
  });
});
