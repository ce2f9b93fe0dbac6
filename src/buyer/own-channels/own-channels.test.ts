import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey } from "viem/accounts";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { encodeHeader } from "../../payments/codec.ts";
import type { Requirement } from "../../payments/types.ts";
import { openKeptDb } from "../../stores/kept-db.ts";
import { createOwnChannelRows, type OwnChannelRows } from "../../stores/own-channel-rows.ts";
import { createBuyer } from "../buyer.ts";
import { createOwnChannels, type OwnChannelStep, type OwnChannels, type SellerAnswer } from "./own-channels.ts";

const folder = mkdtempSync(join(tmpdir(), "own-channels-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NETWORK = "eip155:84532";
const PRICE = 1_000n;
const ACCEPTED: Requirement = {
  scheme: "batch-settlement",
  network: NETWORK,
  amount: PRICE.toString(),
  asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  payTo: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  maxTimeoutSeconds: 300,
  extra: { receiverAuthorizer: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc", withdrawDelay: 86_400 },
};
const LIMITS = { deposit_calls: 5, deposit_max: 20_000n, deposit_all_max: 30_000n, withdraw_delay_s_max: 604_800 };
const ORDER = { accepted: ACCEPTED, price: PRICE, room: 1_000_000n, door: "https://peer.example.com/rate" };

interface Bench {
  readonly channels: OwnChannels;
  readonly rows: OwnChannelRows;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly clock: ReturnType<typeof createStillClock>;
  stop(): void;
}

let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `${files}.db`);
};

function start({ file = newFile(), key = generatePrivateKey() as string, limits = LIMITS } = {}): Bench {
  const kept = openKeptDb(file);
  const rows = createOwnChannelRows(kept.db);
  const clock = createStillClock();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const note = (fields: Readonly<Record<string, unknown>>) => void lines.push(fields);
  const channels = createOwnChannels({
    rows,
    clock,
    elapsed_ms: () => 0,
    buyer: () => createBuyer(clock.now, key),
    rpc_urls: () => [],
    limits,
    log: { info: note, warn: note, error: note },
  });
  return { channels, rows, lines, clock, stop: kept.close };
}

interface Signed {
  readonly type: string;
  readonly voucher: { readonly channelId: string; readonly maxClaimableAmount: string; readonly signature: string };
  readonly deposit?: { readonly amount: string };
}
const readSigned = (header: string): Signed => JSON.parse(Buffer.from(header, "base64").toString()).payload;
const totalOf = (header: string): bigint => BigInt(readSigned(header).voucher.maxClaimableAmount);

interface Said {
  readonly id: string;
  readonly charged: bigint;
  readonly balance: bigint;
  readonly amount?: bigint;
  readonly state?: object;
  readonly more?: object;
}
const stateOf = ({ id, charged, balance, state = {} }: Said) => ({
  channelId: id,
  balance: `${balance}`,
  totalClaimed: "0",
  withdrawRequestedAt: 0,
  refundNonce: "0",
  chargedCumulativeAmount: `${charged}`,
  ...state,
});
/** A paid answer with the snapshot beside it. */
function served(said: Said): SellerAnswer {
  const extra = { chargedAmount: `${said.amount ?? PRICE}`, channelState: stateOf(said) };
  const settlement = { success: true, transaction: "", network: NETWORK, extra, ...said.more };
  return { status: 200, headers: new Headers({ "PAYMENT-RESPONSE": encodeHeader(settlement) }), text: "{}" };
}
/** A 402 that says where the seller's books stand. */
function corrective(said: Said, voucher?: { readonly total: bigint; readonly signature: string }): SellerAnswer {
  const voucherState = voucher && { signedMaxClaimable: `${voucher.total}`, signature: voucher.signature };
  const extra = { ...ACCEPTED.extra, channelState: stateOf(said), ...(voucherState ? { voucherState } : {}) };
  const error = "invalid_batch_settlement_evm_cumulative_amount_mismatch";
  const header = encodeHeader({ x402Version: 2, error, accepts: [{ ...ACCEPTED, extra }] });
  return { status: 402, headers: new Headers({ "PAYMENT-REQUIRED": header }), text: "{}" };
}

/** One call that its seller answers so. @returns what was signed for it; null: it was not paid by channel. */
const call = (
  { channels }: Pick<Bench, "channels">,
  answer: (header: string, step: OwnChannelStep) => SellerAnswer | null,
  order: Partial<typeof ORDER> = {},
): Promise<string | null> =>
  channels.pay({ ...ORDER, ...order }, async (step) => {
    const header = await step.sign();
    const said = answer(header, step);
    if (said !== null) step.note(said);
    return header;
  });
/** An honest seller of a channel that holds so much. */
const honest =
  (balance: bigint) =>
  (header: string, { channel: id }: OwnChannelStep): SellerAnswer =>
    served({ id, charged: totalOf(header), balance });

describe("a channel of this node", () => {
  test("is opened with a deposit for several calls; each further call signs one price more", async () => {
    const bench = start();
    const headers = [];
    for (let n = 0; n < 6; n += 1) headers.push((await call(bench, honest(n < 5 ? 5_000n : 10_000n))) ?? "");
    expect(headers.map((header) => [readSigned(header).type, totalOf(header)])).toEqual([
      ["deposit", 1_000n],
      ["voucher", 2_000n],
      ["voucher", 3_000n],
      ["voucher", 4_000n],
      ["voucher", 5_000n],
      ["deposit", 6_000n],
    ]);
    expect(bench.rows.list()).toMatchObject([
      { deposited: 10_000n, signed: 6_000n, charged: 6_000n, open_deposit: 0n, stopped: null },
    ]);
    expect(bench.channels.totals()).toEqual({ channels: 1, stopped: 0, left: 4_000n });
    bench.stop();
  });

  test("what is signed is on disk before it leaves, and a call that failed changes nothing", async () => {
    const file = newFile();
    const key = generatePrivateKey();
    const first = start({ file, key });
    await call(first, honest(5_000n));
    // It ends between the signature and the answer.
    const lost = await call(first, (header) => {
      expect(first.rows.list()).toMatchObject([{ signed: totalOf(header), charged: 1_000n }]);
      return null;
    });
    first.stop();
    const next = start({ file, key });
    const failed = await call(next, () => ({ status: 503, headers: new Headers(), text: "{}" }));
    // Nobody charged for either: the same sum is signed, never one beyond it.
    expect([lost, failed].map((header) => totalOf(header ?? ""))).toEqual([2_000n, 2_000n]);
    expect(await call(next, honest(5_000n))).toBe(failed);
    expect(next.rows.list()).toMatchObject([{ signed: 2_000n, charged: 2_000n, deposited: 5_000n }]);
    next.stop();
  });

  test("one call at a time signs on it", async () => {
    const bench = start();
    await call(bench, honest(5_000n));
    const totals = await Promise.all([1, 2, 3].map(() => call(bench, honest(5_000n))));
    expect(totals.map((header) => totalOf(header ?? ""))).toEqual([2_000n, 3_000n, 4_000n]);
    bench.stop();
  });

  test("a charge below the price is taken as it is", async () => {
    const bench = start();
    await call(bench, (_, { channel: id }) => served({ id, charged: 400n, amount: 400n, balance: 5_000n }));
    expect(totalOf((await call(bench, honest(5_000n))) ?? "")).toBe(1_400n);
    bench.stop();
  });
});

const LIES: readonly (readonly [string, (id: string) => SellerAnswer])[] = [
  ["charges more than was signed", (id) => served({ id, charged: 2_500n, amount: 1_500n, balance: 5_000n })],
  [
    "charges more in all than it says of each call",
    (id) => served({ id, charged: 2_000n, amount: 500n, balance: 5_000n }),
  ],
  ["forgets what it charged", (id) => served({ id, charged: 1_000n, balance: 5_000n })],
  ["holds less than was paid in", (id) => served({ id, charged: 2_000n, balance: 4_999n })],
  [
    "claimed more than it charged",
    (id) => served({ id, charged: 2_000n, balance: 5_000n, state: { totalClaimed: "2001" } }),
  ],
  ["speaks of another channel", () => served({ id: `0x${"1".repeat(64)}`, charged: 2_000n, balance: 5_000n })],
  [
    "speaks of another payer",
    (id) => served({ id, charged: 2_000n, balance: 5_000n, more: { payer: ACCEPTED.payTo } }),
  ],
  ["says no number", (id) => served({ id, charged: 2_000n, balance: 5_000n, state: { balance: "-1" } })],
];

describe("a seller whose snapshot does not add up gets no further voucher:", () => {
  test.each(LIES)("one that %s", async (_, lie) => {
    const bench = start();
    await call(bench, honest(5_000n));
    expect(await call(bench, (__, { channel }) => lie(channel))).toBeString();
    expect(await call(bench, honest(5_000n))).toBeNull();
    // Nor on other terms.
    const extra = { ...ACCEPTED.extra, withdrawDelay: 3_600 };
    expect(await call(bench, honest(5_000n), { accepted: { ...ACCEPTED, extra } })).toBeNull();
    expect(bench.lines.filter(({ event }) => event === "own_channel_stopped")).toHaveLength(1);
    expect(bench.rows.list()).toMatchObject([{ charged: 1_000n, signed: 2_000n, stopped: expect.any(String) }]);
    expect(() => bench.rows.sign(bench.rows.list()[0]?.id ?? "", STEP)).toThrow("a stopped channel signs nothing");
    bench.stop();
  });
});
const STEP = { signed: 3_000n, deposit: 0n, until_ms: 0, at_ms: 0 };

describe("a seller whose books stand elsewhere", () => {
  /** What `correct` makes of a 402 after the second call was signed. */
  async function correct(answer: (id: string, headers: readonly string[]) => SellerAnswer, bench = start()) {
    const first = (await call(bench, honest(5_000n))) ?? "";
    const found = await bench.channels.pay(ORDER, async (step) => {
      const header = await step.sign();
      return { again: await step.correct(answer(step.channel, [first, header])) };
    });
    return { bench, again: found?.again ?? null, stopped: bench.rows.list()[0]?.stopped ?? null };
  }
  const voucherOf = (header: string | undefined) => {
    const { maxClaimableAmount, signature } = readSigned(header ?? "").voucher;
    return { total: BigInt(maxClaimableAmount), signature };
  };

  test("is gone on from where it stands, as far as this node signed for it", async () => {
    // The answer to the second call was lost, and it was charged.
    const { again, bench } = await correct((id, [, second]) =>
      corrective({ id, charged: 2_000n, balance: 5_000n }, voucherOf(second)),
    );
    expect(totalOf(again ?? "")).toBe(3_000n);
    expect(bench.rows.list()).toMatchObject([{ charged: 2_000n, signed: 3_000n, stopped: null }]);
    bench.stop();
  });

  test("a restored backup of this node learns what it signed since by its own signature", async () => {
    const key = generatePrivateKey();
    const [file, backup] = [newFile(), newFile()];
    const before = start({ file, key });
    await call(before, honest(5_000n));
    before.stop();
    copyFileSync(file, backup);
    const newer = start({ file, key });
    const headers: string[] = [];
    for (let n = 0; n < 3; n += 1) headers.push((await call(newer, honest(5_000n))) ?? "");
    newer.stop();
    const older = start({ file: backup, key });
    const again = await older.channels.pay(ORDER, async (step) => {
      expect(totalOf(await step.sign())).toBe(2_000n);
      return step.correct(corrective({ id: step.channel, charged: 4_000n, balance: 5_000n }, voucherOf(headers[2])));
    });
    expect(totalOf(again ?? "")).toBe(5_000n);
    expect(older.rows.list()).toMatchObject([{ charged: 4_000n, signed: 5_000n, stopped: null }]);
    older.stop();
  });

  test.each<readonly [string, Parameters<typeof correct>[0]]>([
    ["more was charged than signed", (id) => corrective({ id, charged: 2_001n, balance: 5_000n })],
    [
      "more was charged than its own voucher allows",
      (id, [first]) => corrective({ id, charged: 2_000n, balance: 5_000n }, voucherOf(first)),
    ],
    [
      "its voucher is nobody's",
      (id, [first]) =>
        corrective({ id, charged: 1_000n, balance: 5_000n }, { total: 1_500n, signature: voucherOf(first).signature }),
    ],
    ["it holds less", (id) => corrective({ id, charged: 1_000n, balance: 1_000n })],
    ["it is another channel", () => corrective({ id: `0x${"2".repeat(64)}`, charged: 1_000n, balance: 5_000n })],
  ])("is signed for no more where %s", async (_, answer) => {
    const { again, bench, stopped } = await correct(answer);
    expect([again, typeof stopped]).toEqual([null, "string"]);
    expect(await call(bench, honest(5_000n))).toBeNull();
    bench.stop();
  });

  test("a refusal without a snapshot changes nothing; it is paid otherwise for ten minutes", async () => {
    const { bench, again, stopped } = await correct(() => ({ status: 402, headers: new Headers(), text: "{}" }));
    expect([again, stopped]).toEqual([null, null]);
    await bench.channels.pay(ORDER, async (step) => step.refused());
    expect(await call(bench, honest(5_000n))).toBeNull();
    bench.clock.advance(600_000);
    expect(totalOf((await call(bench, honest(5_000n))) ?? "")).toBe(2_000n);
    bench.stop();
  });
});

describe("the budget", () => {
  test("of one seller, of all, and of the day is never passed; nothing is signed beyond it", async () => {
    const bench = start({ limits: { ...LIMITS, deposit_max: 3_000n } });
    expect(readSigned((await call(bench, honest(3_000n))) ?? "").deposit?.amount).toBe("3000");
    for (let n = 0; n < 2; n += 1) await call(bench, honest(3_000n));
    // What was charged lies there no more.
    expect(readSigned((await call(bench, honest(6_000n))) ?? "").deposit?.amount).toBe("3000");
    const dear = { ...ACCEPTED, amount: "6000" };
    expect(await call(bench, honest(9_000n), { accepted: dear, price: 6_000n })).toBeNull();
    const others = [1, 2].map((n) => ({ accepted: { ...ACCEPTED, payTo: `0x${`${n}`.repeat(40)}` } }));
    bench.stop();
    const all = start({ limits: { ...LIMITS, deposit_all_max: 9_000n } });
    const amounts = [];
    for (const order of [...others, {}]) amounts.push(await call(all, honest(5_000n), order));
    expect(amounts.map((header) => header && readSigned(header).deposit?.amount)).toEqual(["5000", "5000", null]);
    expect(all.channels.totals().left).toBe(8_000n);
    expect(await call(all, honest(5_000n), { room: 0n })).toBeNull();
    expect(all.rows.list()).toHaveLength(2);
    all.stop();
  });

  test("a deposit is no smaller than its seller announces; beyond the budget none is signed", async () => {
    const announce = (minDeposit: string) => ({
      accepted: { ...ACCEPTED, extra: { ...ACCEPTED.extra, minDeposit } },
    });
    const amountOf = (header: string | null) => header && readSigned(header).deposit?.amount;
    const bench = start();
    expect(amountOf(await call(bench, honest(9_000n), announce("9000")))).toBe("9000");
    // Every deposit of a channel, not only the first.
    for (let n = 0; n < 8; n += 1) await call(bench, honest(9_000n), announce("9000"));
    expect(amountOf(await call(bench, honest(18_000n), announce("9000")))).toBe("9000");
    bench.stop();
    const dear = start();
    expect(await call(dear, honest(9_000n), announce("20001"))).toBeNull();
    expect(await call(dear, honest(9_000n), { ...announce("9000"), room: 8_999n })).toBeNull();
    expect(dear.lines.map(({ event, least, room }) => [event, least, room])).toEqual([
      ["own_channel_budget", "20001", "20000"],
      ["own_channel_budget", "9000", "8999"],
    ]);
    expect(dear.rows.list()).toEqual([]);
    // Below the price it says nothing, as for the official client.
    expect(amountOf(await call(dear, honest(5_000n), announce("999")))).toBe("5000");
    dear.stop();
  });

  test("a deposit nobody told the end of counts, and no other one leaves while it may land", async () => {
    const bench = start({ limits: { ...LIMITS, deposit_max: 8_000n } });
    await call(bench, () => null);
    expect(await call(bench, honest(5_000n))).toBeNull();
    expect(bench.channels.totals().left).toBe(5_000n);
    bench.clock.advance(360_001);
    // 5,000 of 8,000 may lie there. When its seller shows them, they are this node's again.
    const next = await call(bench, honest(8_000n));
    expect(readSigned(next ?? "").deposit?.amount).toBe("3000");
    expect(bench.rows.list()).toMatchObject([{ deposited: 8_000n, doubtful: 0n, charged: 1_000n }]);
    bench.stop();
  });

  test.each<readonly [string, Partial<Requirement>]>([
    ["in another token", { asset: `0x${"8".repeat(40)}` }],
    ["that nobody can refund", { extra: { ...ACCEPTED.extra, receiverAuthorizer: `0x${"0".repeat(40)}` } }],
    ["that keeps what is withdrawn for longer", { extra: { ...ACCEPTED.extra, withdrawDelay: 604_801 } }],
    ["paid into by Permit2", { extra: { ...ACCEPTED.extra, assetTransferMethod: "permit2" } }],
  ])("is not for a channel %s", async (_, change) => {
    const bench = start();
    expect(await call(bench, honest(5_000n), { accepted: { ...ACCEPTED, ...change } })).toBeNull();
    expect(bench.rows.list()).toEqual([]);
    bench.stop();
  });
});
