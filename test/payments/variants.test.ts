import { describe, expect, test } from "bun:test";
import { encodeHeader } from "../../src/payments/codec.ts";
import { createGateBench, signPayment, v1Header, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";
import { TEST_SEED } from "../helpers/seed.ts";
import { spellSignature } from "../helpers/signature-spellings.ts";

type Bench = ReturnType<typeof createGateBench>;
type Whole = { accepted: Record<string, unknown>; payload: Record<string, unknown> } & Record<string, unknown>;

const decode = (headers: Headers): Whole => JSON.parse(atob(headers.get("payment-signature") ?? ""));
const withText = (text: string): Headers => new Headers({ "payment-signature": text });
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const reverse = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, reverse(member)]),
      )
    : value;
const authorizationOf = ({ payload }: Whole) => payload.authorization as Record<string, string>;

const respell = ({ payload }: Whole, spelling: keyof ReturnType<typeof spellSignature>): Headers =>
  v2Header({ ...payload, signature: spellSignature(String(payload.signature))[spelling] });

/** Other texts for the very same signed payment. */
const SAME: Readonly<Record<string, (whole: Whole) => Headers>> = {
  "in url-safe base64": (whole) => withText(encodeHeader(whole).replaceAll("+", "-").replaceAll("/", "_")),
  "without padding": (whole) => withText(encodeHeader(whole).replace(/=+$/, "")),
  "in other white space": (whole) => withText(base64(JSON.stringify(whole, null, 3))),
  "with spaces around": (whole) => withText(`  ${encodeHeader(whole)} `),
  "in another order": (whole) => withText(encodeHeader(reverse(whole))),
  "with unknown members": (whole) => withText(encodeHeader({ ...whole, hello: 1, resource: { url: "http://other" } })),
  "with null for what is optional": (whole) => withText(encodeHeader({ ...whole, resource: null, extensions: null })),
  "in version 1": ({ payload }) => v1Header(payload),
  "in version 2 in the header of version 1": (whole) => new Headers({ "x-payment": encodeHeader(whole) }),
  "in both headers": (whole) =>
    new Headers({ "payment-signature": encodeHeader(whole), "x-payment": encodeHeader({ x402Version: 1 }) }),
  "with v of 0 or 1, as Ledger and MPC wallets sign": (whole) => respell(whole, "v of 0 or 1"),
  "with its signature in 64 bytes (EIP-2098)": (whole) => respell(whole, "64 bytes"),
  "with addresses in capitals": (whole) => {
    const { from = "", nonce = "" } = authorizationOf(whole);
    const capitals = (text: string) => `0x${text.slice(2).toUpperCase()}`;
    const authorization = { ...authorizationOf(whole), from: capitals(from), nonce: capitals(nonce) };
    return withText(encodeHeader({ ...whole, payload: { ...whole.payload, authorization } }));
  },
};

/** One change each that makes it another payment, or none. */
const OTHER: Readonly<Record<string, readonly [code: string, change: (whole: Whole) => Headers]>> = {
  "a scheme that is not offered": [
    "invalid_payment",
    (whole) => v2Header(whole.payload, { ...whole.accepted, scheme: "upto" }),
  ],
  "the id of another network": [
    "invalid_payment",
    (whole) => v2Header(whole.payload, { ...whole.accepted, network: "eip155:8453" }),
  ],
  "an asset that is not offered": [
    "invalid_payment",
    (whole) => v2Header(whole.payload, { ...whole.accepted, asset: `0x${"a".repeat(40)}` }),
  ],
  "an accepted amount one off": [
    "amount_mismatch",
    (whole) => v2Header(whole.payload, { ...whole.accepted, amount: "10001" }),
  ],
  "an accepted amount as a number": [
    "amount_mismatch",
    (whole) => v2Header(whole.payload, { ...whole.accepted, amount: 10_000 }),
  ],
  "an accepted payTo of somebody else": [
    "invalid_payment",
    (whole) => v2Header(whole.payload, { ...whole.accepted, payTo: `0x${"a".repeat(40)}` }),
  ],
  "another EIP-712 name in accepted": [
    "invalid_payment",
    (whole) => v2Header(whole.payload, { ...whole.accepted, extra: { name: "USD Coin", version: "2" } }),
  ],
  "no extra in accepted": [
    "invalid_payment",
    ({ payload, accepted: { extra: _, ...rest } }) => v2Header(payload, rest),
  ],
  "a member beside the signature": [
    "invalid_payment",
    ({ payload }) => v2Header({ ...payload, permit2Authorization: {} }),
  ],
  "a permit to another asset": [
    "invalid_payment",
    ({ payload: { signature } }) =>
      v2Header({ signature, permit2Authorization: { permitted: { token: `0x${"a".repeat(40)}`, amount: "10000" } } }),
  ],
  "a value with a leading zero": [
    "invalid_payment",
    (whole) => v2Header({ ...whole.payload, authorization: { ...authorizationOf(whole), value: "010000" } }),
  ],
  "a value as a number": [
    "invalid_payment",
    (whole) => v2Header({ ...whole.payload, authorization: { ...authorizationOf(whole), value: 10_000 } }),
  ],
  "a nonce that is too short": [
    "invalid_payment",
    (whole) => v2Header({ ...whole.payload, authorization: { ...authorizationOf(whole), nonce: "0x11" } }),
  ],
};

/** Signed differently from the start. */
const SIGNED: Readonly<Record<string, readonly [code: string, signing: object]>> = {
  "one atomic unit too little": ["amount_mismatch", { value: 9_999n }],
  "one atomic unit too much": ["amount_mismatch", { value: 10_001n }],
  "to somebody else": ["invalid_payment", { to: `0x${"a".repeat(40)}` }],
  expired: ["payment_expired", { validBefore_s: 1_700_000_000 }],
  "about to expire": ["payment_expired", { validBefore_s: Math.floor(Date.now() / 1000) + 5 }],
  "not yet valid": ["invalid_payment", { validAfter_s: 4_000_000_000 }],
};

const expectSettled = async (bench: Bench, times: number) => {
  expect(bench.calls.settle).toBe(times);
  expect((await bench.ledger.receipts.totals()).organic.count).toBe(times);
  expect((await bench.ledger.audit()).findings).toEqual([]);
};

describe("the same payment", () => {
  test.each(Object.entries(SAME))("%s is recognised, before and after it was settled", async (_what, write) => {
    for (const order of ["first", "second"] as const) {
      const bench = createGateBench();
      const plain = v2Header(await signPayment({ account: bench.newPayer() }));
      const written = write(decode(plain));
      const [one, two] = order === "first" ? [written, plain] : [plain, written];
      const sold = await bench.buy(one);
      const again = await bench.buy(two);
      expect(again.body).toBe(sold.body);
      expect(again.headers["X-Idempotent-Replay"]).toBe("true");
      await expectSettled(bench, 1);
    }
  });

  test("in all its forms at once is verified and settled once", async () => {
    const bench = createGateBench();
    const whole = decode(v2Header(await signPayment({ account: bench.newPayer() })));
    const answers = await Promise.all(Object.values(SAME).map((write) => bench.buy(write(whole))));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(bench.calls).toMatchObject({ verify: 1, settle: 1, produce: 1 });
  });

  test("in any form buys one product only, at once or one after the other", async () => {
    const bench = createGateBench();
    const whole = decode(v2Header(await signPayment({ account: bench.newPayer() })));
    const writers = Object.values(SAME);
    const outcomes = await Promise.all(
      writers.map((write, index) =>
        bench.buy(write(whole), index % 2 === 0 ? "/one" : "/two").then(
          () => "sold",
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(new Set(outcomes)).toEqual(new Set(["sold", "request_in_progress"]));
    for (const write of writers) {
      expect((await refusalOf(bench.buy(write(whole), "/two"))).code).toBe("payment_already_used");
    }
    await expectSettled(bench, 1);
  });
});

describe("a signature that USDC itself would refuse for its spelling", () => {
  test.each(["v of 0 or 1", "64 bytes"] as const)(
    "%s: facilitator and ledger get the one it takes",
    async (spelling) => {
      const bench = createGateBench();
      const plain = v2Header(await signPayment({ account: bench.newPayer() }));
      const { signature } = decode(plain).payload;
      const sent: unknown[] = [];
      bench.script.verify = async ({ payload }) => {
        sent.push(payload.signature);
        return { kind: "valid" };
      };
      bench.script.settle = async ({ payload }) => {
        sent.push(payload.signature);
        return { kind: "unknown", cause: "no answer" };
      };
      await refusalOf(bench.buy(respell(decode(plain), spelling)));
      const kept = await bench.rowOf(decode(plain).payload as Parameters<Bench["rowOf"]>[0]);
      expect([...sent, JSON.parse(kept?.payload ?? "{}").signature]).toEqual([signature, signature, signature]);
    },
  );

  test("goes on as it came where no key made it: it may be a contract wallet's, with another meaning", async () => {
    const bench = createGateBench();
    const { payload } = decode(v2Header(await signPayment({ account: bench.newPayer() })));
    for (const signature of [`0x${"11".repeat(64)}01`, `0x${"11".repeat(64)}`, `0x${"11".repeat(96)}`]) {
      const sent: unknown[] = [];
      bench.script.verify = async (payment) => {
        sent.push(payment.payload.signature);
        return { kind: "invalid", reason: "invalid_exact_evm_signature" };
      };
      await refusalOf(bench.buy(v2Header({ ...payload, signature })));
      expect(sent).toEqual([signature]);
    }
  });
});

describe("another payment is refused with its reason, and the unchanged one is still good:", () => {
  test.each(Object.entries(OTHER))("%s", async (_what, [code, change]) => {
    const bench = createGateBench();
    const plain = v2Header(await signPayment({ account: bench.newPayer() }));
    expect(await refusalOf(bench.buy(change(decode(plain))))).toMatchObject({ status: 402, code });
    expect(bench.calls).toMatchObject({ verify: 0, settle: 0, produce: 0 });
    await bench.buy(plain);
    await expectSettled(bench, 1);
  });

  test.each(Object.entries(SIGNED))("%s", async (_what, [code, signing]) => {
    const bench = createGateBench();
    const headers = v2Header(await signPayment({ account: bench.newPayer(), ...signing }));
    expect(await refusalOf(bench.buy(headers))).toMatchObject({ status: 402, code });
    expect(bench.calls).toMatchObject({ verify: 0, settle: 0, produce: 0 });
  });

  test("signed for another domain, which only the facilitator tells from a contract wallet's", async () => {
    const bench = createGateBench();
    bench.script.verify = async () => ({ kind: "invalid", reason: "invalid_exact_evm_signature" });
    const headers = v2Header(await signPayment({ account: bench.newPayer(), domain_name: "USD Coin" }));
    expect((await refusalOf(bench.buy(headers))).code).toBe("invalid_payment");
    await expectSettled(bench, 0);
  });
});

/** A repeatable source of numbers in [0, 1) (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1e21, "", "0", "10000", "-1", "0x", "1e4", "\u0000", "ü", [], {}, "__proto__"],
  ..."constructor exact eip155:84532 eip155:1 base-sepolia".split(" "),
  ..."a".repeat(3).split(""),
];

/** Changes one member somewhere in a value: replaces, drops, adds, or turns one character of a text. */
function mutate(value: unknown, random: () => number): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  if (typeof value === "string" && value.length > 0 && random() < 0.6) {
    const at = Math.floor(random() * value.length);
    return value.slice(0, at) + pick([..."0123456789abcdefABCDEFx-_ "]) + value.slice(at + 1);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || random() < 0.1) return pick(VALUES);
  const entries = Object.entries(value);
  if (entries.length === 0 || random() < 0.05) return { ...value, [String(pick(VALUES))]: pick(VALUES) };
  const [name] = pick(entries);
  if (random() < 0.08) return Object.fromEntries(entries.filter(([other]) => other !== name));
  return Object.fromEntries(
    entries.map(([other, member]) => [other, other === name ? mutate(member, random) : member]),
  );
}

const ROUNDS = process.env.TEST_LONG ? 1_000_000 : 20_000;

test(`${ROUNDS} changed copies of a payment settle nothing, and the payment is still good`, async () => {
  const seed = TEST_SEED;
  const random = createRandom(seed);
  const bench = createGateBench();
  const payload = await signPayment({ account: bench.newPayer() });
  const plain = v2Header(payload);
  const whole = decode(plain);
  // A facilitator checks the signature over every signed field: only the unchanged payment is valid.
  const genuine = JSON.stringify(payload).toLowerCase();
  bench.script.verify = async () => ({ kind: "invalid", reason: `invalid_signature_${bench.calls.verify}` });
  const codes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const changed = mutate(whole, random) as Whole;
    const same = JSON.stringify(changed?.payload ?? "").toLowerCase() === genuine;
    const header = new Headers({ [random() < 0.3 ? "x-payment" : "payment-signature"]: encodeHeader(changed) });
    const { code, status } = await refusalOf(bench.buy(header)).catch((error: unknown) => {
      throw new Error(`seed ${seed}, round ${round}: ${JSON.stringify(changed)}`, { cause: error });
    });
    if (![402, 409].includes(status)) throw new Error(`seed ${seed}, round ${round}: ${code}`);
    if (!same) codes.add(code);
  }
  expect(codes).toContain("amount_mismatch");
  expect(codes).toContain("payment_expired");
  expect(bench.calls.settle).toBe(0);
  expect(await bench.ledger.audit()).toMatchObject({ findings: [], receipts: 0 });
  bench.script.verify = async () => ({ kind: "valid" });
  await bench.buy(plain, "/one", undefined, "192.0.2.99");
  await expectSettled(bench, 1);
});
