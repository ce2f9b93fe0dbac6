import { afterEach, describe, expect, test } from "bun:test";
import { createManualTimers } from "../../../test/helpers/manual-timers.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import { type Network, networkById } from "../networks/table.ts";
import { createFacilitatorPool, type FacilitatorPool } from "./pool.ts";
import type { Facilitator, PaymentToSettle, SettleOutcome, Supported, VerifyOutcome } from "./types.ts";

const BASE = "eip155:84532";
const SOLANA = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const ALGORAND = "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe";
const ALGORAND_LONG = "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=";
const [PAYER_A, PAYER_B, PAYER_C] = [
  "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9",
  "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu",
  "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse",
];
const clock: Clock = { now: () => 1_000 };

const network = (id: string): Network => {
  const found = networkById(id);
  if (!found) throw new Error(id);
  return found;
};
const WALLETS = [BASE, SOLANA, ALGORAND].map((id) => ({ network: network(id), pay_to: `us-${id.slice(0, 6)}` }));

const kind = (id: string, feePayer?: string) => ({
  scheme: "exact",
  network: id,
  extra: feePayer === undefined ? {} : { feePayer },
});

/** A facilitator of which a test writes every answer, and that keeps what it was asked. */
function createScripted(id: string, supported: Supported) {
  const asked: { call: "verify" | "settle"; payment: PaymentToSettle }[] = [];
  const script = {
    supported: supported as Supported | Error,
    verify: { kind: "valid" } as VerifyOutcome,
    settle: { kind: "settled", transaction: `tx-of-${id}` } as SettleOutcome,
  };
  let changed: () => void = () => undefined;
  const facilitator: Facilitator = {
    id,
    kind: "remote",
    url: `http://${id}`,
    async getSupported() {
      if (script.supported instanceof Error) throw script.supported;
      return script.supported;
    },
    async verify(payment) {
      asked.push({ call: "verify", payment });
      return script.verify;
    },
    async settle(payment) {
      asked.push({ call: "settle", payment });
      return script.settle;
    },
    onChange: (listener) => {
      changed = listener;
    },
  };
  return { facilitator, script, asked, calls: () => asked.map(({ call }) => call), change: () => changed() };
}
type Scripted = ReturnType<typeof createScripted>;

const pools: FacilitatorPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.stop();
});

async function createPool(
  scripted: readonly Scripted[],
  networks: readonly (readonly string[] | null)[] = [],
  timers?: Timers,
) {
  const pool = createFacilitatorPool({
    facilitators: scripted.map(({ facilitator }, index) => ({ facilitator, networks: networks[index] ?? null })),
    wallets: WALLETS,
    clock,
    timers,
    log: () => undefined,
  });
  pools.push(pool);
  await pool.refresh();
  return pool;
}

const payment = (id: string, fee_payer: string | null = null): PaymentToSettle => ({
  payload: {},
  requirement: {
    scheme: "exact",
    network: id,
    amount: "1000",
    asset: network(id).asset,
    payTo: "us",
    maxTimeoutSeconds: 300,
    extra: fee_payer === null ? { name: "USDC" } : { feePayer: "theOneWeNamed", tag: "ours" },
  },
  fee_payer,
});
const offered = (pool: FacilitatorPool) => pool.offers.map((offer) => offer.network.id);

describe("a network is offered exactly while a live facilitator settles it", () => {
  const all = { kinds: [kind(BASE), kind(SOLANA, PAYER_A), kind(ALGORAND, PAYER_B)], signers: {} };

  test("Base first, then Solana, then Algorand, whatever order a facilitator lists them in", async () => {
    const pool = await createPool([createScripted("one", { ...all, kinds: all.kinds.toReversed() })]);
    expect(offered(pool)).toEqual([BASE, SOLANA, ALGORAND]);
    expect(pool.unavailable()).toEqual([]);
  });

  test.each([BASE, SOLANA, ALGORAND])("%s is left out and said when nobody settles it", async (missing) => {
    const rest = all.kinds.filter((one) => one.network !== missing);
    const pool = await createPool([createScripted("one", { kinds: rest, signers: {} })]);
    expect(offered(pool)).toEqual([BASE, SOLANA, ALGORAND].filter((id) => id !== missing));
    expect(pool.unavailable()).toEqual([{ network: missing, why: "no live facilitator settles it" }]);
  });

  test("what facilitators list instead of a network is reported to the operator", async () => {
    const kinds = [{ scheme: "exact", network: "eip155:1", extra: {} }];
    const pool = await createPool([createScripted("one", { kinds, signers: {}, old_networks: ["base"] })]);
    expect(pool.listedInstead(BASE)).toBe("one: it lists eip155:1, and in version 1 base");
    expect(pool.unavailable()).toContainEqual({ network: BASE, why: "no live facilitator settles it" });
    expect(pool.status()[0]?.warnings).toEqual([]);
  });

  test("while another one for the network does not answer, or says why not, nothing is said of the lists", async () => {
    const dead = createScripted("dead", all);
    dead.script.supported = new Error("down");
    const low = createScripted("low", { kinds: [], signers: {}, withheld: [{ network: BASE, why: "no gas" }] });
    expect((await createPool([createScripted("one", { kinds: [], signers: {} }), dead])).listedInstead(BASE)).toBe("");
    expect((await createPool([low])).listedInstead(BASE)).toBe("");
  });

  test.each([
    ["no fee payer", {}],
    ["a fee payer that is no address", { feePayer: "nobody" }],
    ["a fee payer of another kind", { feePayer: 7 }],
  ])("Solana is left out while its facilitator names %s, because official clients would fail", async (_what, extra) => {
    const odd = createScripted("odd", { ...all, kinds: [kind(BASE), { ...kind(SOLANA), extra }, kind(ALGORAND)] });
    const pool = await createPool([odd]);
    expect(offered(pool)).toEqual([BASE, ALGORAND]);
    expect(pool.unavailable()).toEqual([{ network: SOLANA, why: "its facilitator names no account to pay the fee" }]);
    expect(pool.status()[0]?.networks).toEqual([BASE, ALGORAND]);
    await pool.verify(SOLANA, payment(SOLANA, PAYER_A));
    expect(odd.asked).toEqual([]);
  });

  test("a facilitator that names no fee payer leaves Solana to one that does", async () => {
    const odd = createScripted("odd", { kinds: [kind(SOLANA)], signers: {} });
    const pool = await createPool([odd, createScripted("whole", all)]);
    const offer = pool.offers.find((one) => one.network.id === SOLANA);
    expect(offer).toMatchObject({ facilitators: ["whole"], extra: { feePayer: PAYER_A } });
  });

  test("on Algorand a buyer can pay the fee himself, so that no fee payer need be named", async () => {
    const pool = await createPool([createScripted("one", { kinds: [kind(ALGORAND)], signers: {} })]);
    expect(offered(pool)).toEqual([ALGORAND]);
    expect(pool.offers[0]?.extra).toEqual({});
  });

  test.each([BASE, SOLANA, ALGORAND])("%s goes when its only facilitator dies, and comes back with it", async (id) => {
    const rest = all.kinds.filter((one) => one.network !== id);
    const [lone, other] = [
      createScripted("lone", { kinds: all.kinds.filter((one) => one.network === id), signers: {} }),
      createScripted("other", { kinds: rest, signers: {} }),
    ];
    const pool = await createPool([lone, other]);
    const supported = lone.script.supported;
    lone.script.supported = new Error("connection refused");
    await pool.refresh();
    expect(offered(pool)).not.toContain(id);
    expect(pool.offers).toHaveLength(2);
    lone.script.supported = supported;
    await pool.refresh();
    expect(offered(pool)).toEqual([BASE, SOLANA, ALGORAND]);
  });

  test("none while all are down: the start does not fail", async () => {
    const dead = createScripted("dead", all);
    dead.script.supported = new Error("connection refused");
    const pool = await createPool([dead]);
    expect(pool.offers).toEqual([]);
    expect(pool.unavailable()).toHaveLength(3);
    expect(await pool.verify(BASE, payment(BASE))).toMatchObject({ outcome: { kind: "unavailable" } });
    expect(await pool.settle("dead", payment(BASE))).toMatchObject({ outcome: { kind: "unseen" } });
    expect(dead.asked).toEqual([]);
  });

  test("by a facilitator the operator keeps for other networks it is not settled", async () => {
    const pool = await createPool([createScripted("one", all)], [[ALGORAND_LONG]]);
    expect(offered(pool)).toEqual([ALGORAND]);
  });

  test("what a facilitator withholds is said with its reason, and looked at again when that changes", async () => {
    const low = createScripted("low", { kinds: [], signers: {}, withheld: [{ network: BASE, why: "no gas" }] });
    const pool = await createPool([low]);
    expect(pool.unavailable()).toContainEqual({ network: BASE, why: "no gas" });
    expect(pool.status()[0]?.warnings).toEqual([{ network: BASE, why: "no gas" }]);
    low.script.supported = { kinds: [kind(BASE)], signers: {} };
    const changed = new Promise<void>((resolve) => pool.onChange(resolve));
    low.change();
    await changed;
    expect(offered(pool)).toEqual([BASE]);
  });
});

describe("a payment that names the payer of the fee goes only to the owner of that account", () => {
  const owner = (id: string, feePayer: string, more: readonly string[] = []) =>
    createScripted(id, { kinds: [kind(SOLANA, feePayer)], signers: { "solana:*": [feePayer, ...more] } });

  test("whatever the order", async () => {
    const [first, second] = [owner("first", PAYER_A), owner("second", PAYER_B)];
    const pool = await createPool([first, second]);
    expect(pool.offers[0]?.fee_payers).toEqual([PAYER_A, PAYER_B]);
    expect(await pool.verify(SOLANA, payment(SOLANA, PAYER_B))).toEqual({
      outcome: { kind: "valid" },
      facilitator: "second",
    });
    expect(await pool.settle("second", payment(SOLANA, PAYER_B))).toMatchObject({ facilitator: "second" });
    expect(first.asked).toEqual([]);
    expect(second.calls()).toEqual(["verify", "settle"]);
  });

  test("one of several accounts is as good as the one that was named", async () => {
    const first = owner("first", PAYER_A, [PAYER_C]);
    const pool = await createPool([first]);
    expect(await pool.verify(SOLANA, payment(SOLANA, PAYER_C))).toMatchObject({ facilitator: "first" });
    expect(first.asked[0]?.payment.requirement.extra).toEqual({ feePayer: PAYER_C, tag: "ours" });
  });

  test("is not failed over: nobody else could sign for it", async () => {
    const [first, second] = [owner("first", PAYER_A), owner("second", PAYER_B)];
    first.script.verify = { kind: "unavailable", cause: "down" };
    first.script.settle = { kind: "unseen", cause: "down" };
    const pool = await createPool([first, second]);
    expect(await pool.verify(SOLANA, payment(SOLANA, PAYER_A))).toMatchObject({ facilitator: null });
    expect(await pool.settle("first", payment(SOLANA, PAYER_A))).toMatchObject({ outcome: { kind: "unseen" } });
    expect(second.asked).toEqual([]);
  });

  test("an account without an owner is not reported", async () => {
    const first = owner("first", PAYER_A);
    const pool = await createPool([first]);
    expect(await pool.verify(SOLANA, payment(SOLANA, PAYER_B))).toMatchObject({ outcome: { kind: "unavailable" } });
    expect(await pool.settle("first", payment(SOLANA, PAYER_B))).toMatchObject({ outcome: { kind: "unseen" } });
    expect(first.asked).toEqual([]);
  });

  test("each facilitator gets its own spelling of the network", async () => {
    const [short, long] = [
      createScripted("short", { kinds: [kind(ALGORAND, PAYER_A)], signers: {} }),
      createScripted("long", { kinds: [kind(ALGORAND_LONG, PAYER_B)], signers: { [ALGORAND_LONG]: [PAYER_C] } }),
    ];
    const pool = await createPool([short, long]);
    await pool.verify(ALGORAND, payment(ALGORAND, PAYER_A));
    await pool.verify(ALGORAND, payment(ALGORAND, PAYER_C));
    await pool.settle("long", payment(ALGORAND, PAYER_C));
    expect(short.asked.map((one) => one.payment.requirement.network)).toEqual([ALGORAND]);
    expect(long.asked.map((one) => one.payment.requirement.network)).toEqual([ALGORAND_LONG, ALGORAND_LONG]);
  });
});

describe("on Base, where anybody may settle", () => {
  const create = () => {
    const [first, second] = ["first", "second"].map((id) => createScripted(id, { kinds: [kind(BASE)], signers: {} }));
    if (!first || !second) throw new Error("two were asked for");
    return { first, second };
  };

  test("verify goes on to the next facilitator when the first gives no word", async () => {
    const { first, second } = create();
    first.script.verify = { kind: "unavailable", cause: "down" };
    const pool = await createPool([first, second]);
    expect(await pool.verify(BASE, payment(BASE))).toEqual({ outcome: { kind: "valid" }, facilitator: "second" });
  });

  test("a refusal is final", async () => {
    const { first, second } = create();
    first.script.verify = { kind: "invalid", reason: "insufficient_funds" };
    const pool = await createPool([first, second]);
    expect(await pool.verify(BASE, payment(BASE))).toMatchObject({
      outcome: { kind: "invalid" },
      facilitator: "first",
    });
    expect(second.asked).toEqual([]);
  });

  test.each<[SettleOutcome["kind"], SettleOutcome, readonly string[]]>([
    ["unseen", { kind: "unseen", cause: "refused" }, ["settle"]],
    ["unknown", { kind: "unknown", cause: "timeout" }, []],
    ["refused", { kind: "refused", reason: "no", transaction: "" }, []],
  ])("after a settle that is %s the next one is asked only if nobody saw it", async (_kind, outcome, asked) => {
    const { first, second } = create();
    first.script.settle = outcome;
    const pool = await createPool([first, second]);
    const result = await pool.settle("first", payment(BASE));
    expect(second.calls()).toEqual([...asked] as ("verify" | "settle")[]);
    expect(result.facilitator).toBe(asked.length > 0 ? "second" : "first");
  });

  test("the one that verified settles, though it is not the first in the list", async () => {
    const { first, second } = create();
    const pool = await createPool([first, second]);
    expect(await pool.settle("second", payment(BASE))).toMatchObject({ facilitator: "second" });
    expect(first.asked).toEqual([]);
  });
});

describe("a facilitator is out only when its own /supported says so", () => {
  const both = { kinds: [kind(BASE), kind(SOLANA, PAYER_A)], signers: {} };
  const create = async () => {
    const one = createScripted("one", both);
    let asked = 0;
    const { getSupported } = one.facilitator;
    Object.assign(one.facilitator, {
      getSupported: () => {
        asked += 1;
        return getSupported();
      },
    });
    const timers = createManualTimers();
    const pool = await createPool([one], [], timers);
    return { one, pool, timers, asked: () => asked - 1 };
  };
  const verify = async (pool: FacilitatorPool, times: number, more: Partial<PaymentToSettle> = {}) => {
    for (let n = 0; n < times; n++) await pool.verify(BASE, { ...payment(BASE), ...more });
    await Bun.sleep(0);
  };

  test("never by a payment that makes it answer nonsense, however often", async () => {
    const { one, pool, asked } = await create();
    one.script.verify = { kind: "unavailable", cause: "the answer (500) is not one to verify", answered: true };
    one.script.supported = new Error("down");
    await verify(pool, 500);
    expect(offered(pool)).toEqual([BASE, SOLANA]);
    expect(asked()).toBe(0);
    expect(pool.status()[0]?.warnings).toEqual([]);
  });

  test.each<[string, VerifyOutcome, Partial<PaymentToSettle>]>([
    ["silence", { kind: "unavailable", cause: "no answer in 10000 ms" }, {}],
    [
      "nonsense about a payment this node checked itself",
      { kind: "unavailable", cause: "the answer (503) is not one to verify", answered: true },
      { checked: true },
    ],
  ])("once %s makes it asked, and it stays while it lists the network", async (_what, outcome, more) => {
    const { one, pool, asked } = await create();
    one.script.verify = outcome;
    await verify(pool, 1, more);
    expect(asked()).toBe(1);
    expect(pool.status()[0]?.warnings).toEqual([]);
    await verify(pool, 1, more);
    expect(offered(pool)).toEqual([BASE, SOLANA]);
    expect(pool.status()[0]?.warnings).toEqual([{ network: BASE, why: "its last 2 calls got no answer" }]);
    one.script.verify = { kind: "valid" };
    await verify(pool, 1, more);
    expect(pool.status()[0]?.warnings).toEqual([]);
  });

  test("many calls without an answer make it asked once in five seconds", async () => {
    const { one, pool, timers, asked } = await create();
    one.script.verify = { kind: "unavailable", cause: "no answer in 10000 ms" };
    await verify(pool, 100);
    expect(asked()).toBe(1);
    await timers.advance(5_000);
    await verify(pool, 100);
    expect(asked()).toBe(2);
  });

  test.each<[string, SettleOutcome]>([
    ["unseen", { kind: "unseen", cause: "connection refused" }],
    ["unknown", { kind: "unknown", cause: "no answer in 30000 ms" }],
  ])("a settle that is %s makes it asked, and that decides", async (_what, outcome) => {
    const { one, pool } = await create();
    one.script.settle = outcome;
    one.script.supported = new Error("connection refused");
    await pool.settle("one", payment(BASE));
    await Bun.sleep(0);
    expect(offered(pool)).toEqual([]);
  });

  test("it is out a minute after it died though nobody buys, and back when it answers", async () => {
    const { one, pool, timers } = await create();
    const { supported } = one.script;
    one.script.supported = new Error("connection refused");
    await timers.advance(61_000);
    expect(offered(pool)).toEqual([]);
    expect(pool.status()[0]).toMatchObject({ ok: false, last_error: "connection refused" });
    await timers.advance(3_600_000);
    one.script.supported = supported;
    await timers.advance(30_000);
    expect(offered(pool)).toEqual([BASE, SOLANA]);
    expect(pool.status()[0]).toMatchObject({ ok: true, last_error: null });
  });

  test("one look on the minute that failed takes it out only with the next", async () => {
    const { one, pool, timers } = await create();
    const { supported } = one.script;
    one.script.supported = new Error("no answer in 5000 ms");
    await timers.advance(60_000);
    expect(offered(pool)).toEqual([BASE, SOLANA]);
    one.script.supported = supported;
    await timers.advance(1_000);
    one.script.supported = new Error("no answer in 5000 ms");
    await timers.advance(60_000);
    expect(offered(pool)).toEqual([BASE, SOLANA]);
    await timers.advance(1_000);
    expect(offered(pool)).toEqual([]);
  });

  test("what is silent on one network and no longer listed there takes no other network with it", async () => {
    const { one, pool } = await create();
    one.script.verify = { kind: "unavailable", cause: "connection refused" };
    one.script.supported = { kinds: [kind(SOLANA, PAYER_A)], signers: {} };
    await verify(pool, 1);
    expect(offered(pool)).toEqual([SOLANA]);
  });

  test("silent there too it is out, with all its networks", async () => {
    const { one, pool } = await create();
    one.script.verify = { kind: "unavailable", cause: "connection refused" };
    one.script.supported = new Error("connection refused");
    await verify(pool, 1);
    expect(offered(pool)).toEqual([]);
  });

  test("an answer about one network says nothing about another: silences are counted apart", async () => {
    const { one, pool } = await create();
    for (let n = 0; n < 12; n++) {
      one.script.verify = { kind: "unavailable", cause: "timeout" };
      if (n < 4) await pool.verify(BASE, payment(BASE));
      one.script.verify = { kind: "valid" };
      await pool.verify(SOLANA, payment(SOLANA, PAYER_A));
    }
    expect(pool.status()[0]?.warnings).toEqual([{ network: BASE, why: "its last 4 calls got no answer" }]);
  });

  test("who is silent is asked after the others", async () => {
    const [first, second] = [createScripted("first", both), createScripted("second", both)];
    first.script.verify = { kind: "unavailable", cause: "timeout" };
    const pool = await createPool([first, second]);
    for (let n = 0; n < 10; n++) await pool.verify(BASE, payment(BASE));
    expect(first.calls()).toHaveLength(5);
    expect(second.calls()).toHaveLength(10);
  });
});

test("a claim is as large as the facilitator takes it that would settle it first", async () => {
  const channels = { kinds: [kind(BASE), { scheme: "batch-settlement", network: BASE, extra: {} }], signers: {} };
  const few = createScripted("few", channels);
  const many = createScripted("many", channels);
  const pool = await createPool([few, { ...many, facilitator: { ...many.facilitator, claims_max: 100 } }]);
  const plain = payment(BASE);
  const claim: PaymentToSettle = { ...plain, requirement: { ...plain.requirement, scheme: "batch-settlement" } };
  expect(pool.claimsMax(claim)).toBe(25);
  few.script.supported = new Error("down");
  await pool.refresh();
  expect(pool.claimsMax(claim)).toBe(100);
});

test("a facilitator that answers when the node has stopped is not reported", async () => {
  const late = createScripted("late", { kinds: [kind(BASE)], signers: {} });
  const pool = createFacilitatorPool({
    facilitators: [{ facilitator: late.facilitator, networks: null }],
    wallets: WALLETS,
    clock,
    log: () => undefined,
  });
  let told = 0;
  pool.onChange(() => {
    told += 1;
  });
  const asked = pool.refresh();
  pool.stop();
  await asked;
  expect({ told, offers: pool.offers }).toEqual({ told: 0, offers: [] });
});

describe("what less may be taken of than was signed", () => {
  const [ONE, TWO, THREE] = [1, 2, 3].map((n) => `0x${String(n).repeat(40)}`) as [string, string, string];
  const upto = (facilitatorAddress: unknown, signers: readonly string[] = []): Supported => ({
    kinds: [kind(BASE), { scheme: "upto", network: BASE, extra: { facilitatorAddress } }],
    signers: { "eip155:*": signers },
  });
  const create = async (facilitators: readonly Scripted[], mayTakeLess = () => true) => {
    const pool = createFacilitatorPool({
      facilitators: facilitators.map(({ facilitator }) => ({ facilitator, networks: null })),
      wallets: WALLETS,
      clock,
      timers: createManualTimers(),
      log: () => undefined,
      mayTakeLess,
    });
    pools.push(pool);
    await pool.refresh();
    return pool;
  };
  const payment = (fee_payer: string): PaymentToSettle => ({
    payload: {},
    fee_payer,
    requirement: {
      scheme: "upto",
      network: BASE,
      amount: "1",
      asset: "",
      payTo: "",
      maxTimeoutSeconds: 1,
      extra: { facilitatorAddress: fee_payer },
    },
  });

  test("is offered where a facilitator names the account that takes it, and the node may", async () => {
    const named = await create([createScripted("a", upto(ONE))]);
    expect(named.offers[0]?.upto).toEqual({ facilitator_address: ONE, addresses: [ONE] });
    for (const odd of [undefined, "", 7, "0x12"]) {
      expect((await create([createScripted("a", upto(odd))])).offers[0]?.upto).toBeUndefined();
    }
    expect((await create([createScripted("a", upto(ONE))], () => false)).offers[0]?.upto).toBeUndefined();
  });

  test("names one account for as long as it is the facilitator's, whichever it says next", async () => {
    const one = createScripted("a", upto(ONE, [ONE, TWO]));
    const pool = await create([one]);
    let changes = 0;
    pool.onChange(() => {
      changes += 1;
    });
    one.script.supported = upto(TWO, [ONE, TWO]);
    await pool.refresh();
    expect(pool.offers[0]?.upto).toEqual({ facilitator_address: ONE, addresses: [ONE, TWO] });
    expect(changes).toBe(0);
    one.script.supported = upto(TWO, [TWO, THREE]);
    await pool.refresh();
    expect(pool.offers[0]?.upto).toEqual({ facilitator_address: TWO, addresses: [TWO, THREE] });
  });

  test("goes to the one whose account was signed for, and to no other when that is silent", async () => {
    const [a, b] = [createScripted("a", upto(ONE)), createScripted("b", upto(TWO))];
    const pool = await create([a, b]);
    expect(await pool.verify(BASE, payment(TWO))).toMatchObject({ facilitator: "b" });
    b.script.verify = { kind: "unavailable", cause: "silent" };
    expect(await pool.verify(BASE, payment(TWO))).toMatchObject({ facilitator: null });
    b.script.settle = { kind: "unseen", cause: "refused" };
    expect((await pool.settle("b", payment(TWO))).outcome).toMatchObject({ kind: "unseen" });
    expect(a.calls()).toEqual([]);
    expect(b.asked.at(-1)?.payment.requirement.extra).toEqual({ facilitatorAddress: TWO });
  });
});
