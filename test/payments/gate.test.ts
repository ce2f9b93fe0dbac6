import { describe, expect, test } from "bun:test";
import { NodeError } from "../../src/core/errors.ts";
import { encodeHeader } from "../../src/payments/codec.ts";
import { PaymentRefusal } from "../../src/payments/refusal.ts";
import { addHeaders, createGateBench, signPayment, v1Header, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";

describe("a good payment", () => {
  test("buys the data once, in either version, with one settlement and a receipt", async () => {
    const bench = createGateBench();
    const v2 = await bench.buy(v2Header(await signPayment({ account: bench.newPayer() })));
    expect(v2.headers["PAYMENT-RESPONSE"]).toBeDefined();
    const v1 = await bench.buy(v1Header(await signPayment({ account: bench.newPayer() })));
    expect(v1.headers["X-PAYMENT-RESPONSE"]).toBeDefined();
    expect(bench.calls).toMatchObject({ verify: 2, settle: 2, produce: 2 });
    expect(await bench.ledger.receipts.get(v2.headers["X-Receipt-Id"] ?? "")).not.toBeNull();
    expect((await bench.ledger.audit()).findings).toEqual([]);
  });

  test("sent again gives the same bytes without another settlement, re-wrapped as another version too", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const first = await bench.buy(v2Header(payload));
    for (const headers of [v2Header(payload), v1Header(payload)]) {
      const again = await bench.buy(headers);
      expect(again.body).toBe(first.body);
      expect(again.headers["X-Idempotent-Replay"]).toBe("true");
      expect(again.headers["X-Receipt-Id"]).toBe(first.headers["X-Receipt-Id"] ?? "");
    }
    expect(bench.calls).toMatchObject({ settle: 1, produce: 1 });
  });

  test("is answered again after its window is over and with every facilitator down", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const headers = addHeaders(v2Header(payload), { "idempotency-key": "8e03978e-40d5-43e8" });
    const first = await bench.buy(headers);
    bench.clock.advance(3_600_000);
    bench.script.verify = async () => ({ kind: "unavailable", cause: "down" });
    expect((await bench.buy(headers)).body).toBe(first.body);
  });

  test("in 50 parallel copies is settled once and everybody gets the same answer", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const all = await Promise.all(Array.from({ length: 50 }, () => bench.buy(v2Header(payload))));
    expect(new Set(all.map((served) => served.body)).size).toBe(1);
    expect(new Set(all.map((served) => served.headers["X-Receipt-Id"])).size).toBe(1);
    expect(bench.calls).toMatchObject({ verify: 1, settle: 1, produce: 1 });
  });

  test("for one product does not buy another", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    await bench.buy(v2Header(payload), "/one");
    expect(await refusalOf(bench.buy(v2Header(payload), "/two"))).toMatchObject({ code: "payment_already_used" });
    expect(bench.calls.settle).toBe(1);
  });

  test("with the same nonce but another signature learns nothing", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const payload = await signPayment({ account });
    await bench.buy(v2Header(payload));
    const forged = { ...payload, signature: `0x${"11".repeat(65)}` };
    expect(await refusalOf(bench.buy(v2Header(forged)))).toMatchObject({ code: "payment_already_used" });
  });
});

describe("a bad payment is refused before anything is asked or written", () => {
  const cases: [string, string, (bench: ReturnType<typeof createGateBench>) => Promise<Headers>][] = [
    [
      "one atomic unit short",
      "amount_mismatch",
      async (b) => v2Header(await signPayment({ account: b.newPayer(), value: 9_999n })),
    ],
    [
      "one atomic unit over",
      "amount_mismatch",
      async (b) => v2Header(await signPayment({ account: b.newPayer(), value: 10_001n })),
    ],
    [
      "to another address",
      "invalid_payment",
      async (b) => v2Header(await signPayment({ account: b.newPayer(), to: b.newPayer().address })),
    ],
    [
      "expired",
      "payment_expired",
      async (b) => v2Header(await signPayment({ account: b.newPayer(), validBefore_s: 1_000_000 })),
    ],
    [
      "not yet valid",
      "invalid_payment",
      async (b) => v2Header(await signPayment({ account: b.newPayer(), validAfter_s: 4_000_000_000 })),
    ],
    [
      "of another network",
      "invalid_payment",
      async (b) => v2Header(await signPayment({ account: b.newPayer() }), { scheme: "exact", network: "eip155:1" }),
    ],
    [
      "accepted for less",
      "amount_mismatch",
      async (b) =>
        v2Header(await signPayment({ account: b.newPayer() }), {
          scheme: "exact",
          network: "eip155:84532",
          amount: "1",
          asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
          payTo: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
        }),
    ],
    ["a Permit2 payload", "invalid_payment", async () => v2Header({ signature: "0x11", permit2Authorization: {} })],
    ["not base64", "invalid_payment", async () => new Headers({ "payment-signature": "{}" })],
    [
      "base64 of no JSON",
      "invalid_payment",
      async () => new Headers({ "payment-signature": Buffer.from("hi").toString("base64") }),
    ],
    ["base64 of invalid UTF-8", "invalid_payment", async () => new Headers({ "payment-signature": "/////w==" })],
    [
      "JSON but no payment",
      "invalid_payment",
      async () => new Headers({ "payment-signature": encodeHeader({ hello: 1 }) }),
    ],
    [
      "of version 3",
      "invalid_payment",
      async () => new Headers({ "payment-signature": encodeHeader({ x402Version: 3 }) }),
    ],
    ["over 12 kB", "invalid_payment", async () => new Headers({ "payment-signature": "A".repeat(13_000) })],
  ];
  test.each(cases)("%s", async (_, code, headers) => {
    const bench = createGateBench();
    expect(await refusalOf(bench.buy(await headers(bench)))).toMatchObject({ code });
    expect(bench.calls).toMatchObject({ verify: 0, settle: 0, produce: 0 });
    expect((await bench.ledger.audit()).payments).toEqual({});
  });
});

test("a payer who settled before skips the local signature check until a payment in his name is refused", async () => {
  const bench = createGateBench({ duplicate_guard_ms: 0 });
  const account = bench.newPayer();
  await bench.buy(v2Header(await signPayment({ account })));
  const broken = async () => v2Header({ ...(await signPayment({ account })), signature: "0x1234" });
  bench.script.verify = async () => ({ kind: "invalid", reason: "invalid_exact_evm_signature" });
  expect(await refusalOf(bench.buy(await broken()))).toMatchObject({ code: "invalid_payment" });
  expect(bench.calls).toMatchObject({ verify: 2, settle: 1 });
});

describe("no data, no charge", () => {
  test("a product that fails is never settled, and the same payment may come again", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const works = bench.script.produce;
    bench.script.produce = async () => {
      throw new NodeError("upstream_unavailable", "down");
    };
    expect(await refusalOf(bench.buy(v2Header(payload)))).toMatchObject({ code: "upstream_unavailable" });
    expect(bench.calls.settle).toBe(0);
    bench.script.produce = works;
    expect((await bench.buy(v2Header(payload))).headers["X-Receipt-Id"]).toBeDefined();
  });

  test("a refused verify ends the attempt; the payment may come again once its cause is gone", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    bench.script.verify = async () => ({ kind: "invalid", reason: "invalid_exact_evm_insufficient_balance" });
    const refusal = await refusalOf(bench.buy(v2Header(payload)));
    expect(refusal).toMatchObject({ code: "insufficient_funds", diagnostic: { retryable: true, same_payment: true } });
    bench.script.verify = async () => ({ kind: "valid" });
    await bench.buy(v2Header(payload));
    expect(bench.calls.settle).toBe(1);
  });

  test("a refused settlement withholds the data", async () => {
    const bench = createGateBench();
    bench.script.settle = async () => ({ kind: "refused", reason: "transaction_failed <b>", transaction: "" });
    const refusal = await refusalOf(bench.buy(v2Header(await signPayment({ account: bench.newPayer() }))));
    expect(refusal).toBeInstanceOf(PaymentRefusal);
    expect(refusal).toMatchObject({ code: "settlement_failed", diagnostic: { reason: "transaction_failed_b_" } });
    expect((await bench.ledger.receipts.totals()).organic.count).toBe(0);
  });
});

describe("an unknown settlement", () => {
  test("answers 503, and the same payment gets its answer, settled once, when the chain knows", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
    const first = await refusalOf(bench.buy(v2Header(payload)));
    expect(first).toMatchObject({ code: "settlement_unknown", options: { charge_unknown: true } });
    expect(first.message).toContain("same payment again");
    bench.script.chain = { paid: true };
    expect((await bench.buy(v2Header(payload))).body).toBe('{"n":1}');
    expect(bench.calls).toMatchObject({ settle: 1, produce: 1 });
    expect((await bench.ledger.audit()).findings).toEqual([]);
  });

  test("that the chain denies may be tried again with the same payment", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    const works = bench.script.settle;
    bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
    await refusalOf(bench.buy(v2Header(payload)));
    bench.script.chain = { paid: false };
    bench.script.settle = works;
    await bench.buy(v2Header(payload));
    expect((await bench.ledger.receipts.totals()).organic.count).toBe(1);
  });

  test("that the chain denies buys only what it was meant to buy: anybody may have seen it", async () => {
    const bench = createGateBench();
    const payload = await signPayment({ account: bench.newPayer() });
    bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
    await refusalOf(bench.buy(v2Header(payload)));
    bench.script.chain = { paid: false };
    expect((await refusalOf(bench.buy(v2Header(payload), "/two"))).code).toBe("payment_already_used");
    expect(bench.calls.settle).toBe(1);
  });

  test("does not take a new payment of the same payer for the same request", async () => {
    const bench = createGateBench({ duplicate_guard_ms: 0 });
    const account = bench.newPayer();
    bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
    await refusalOf(bench.buy(v2Header(await signPayment({ account }))));
    const second = v2Header(await signPayment({ account }));
    expect(await refusalOf(bench.buy(second))).toMatchObject({ code: "settlement_unknown" });
    bench.script.chain = { paid: true };
    const answer = await bench.buy(v2Header(await signPayment({ account })));
    expect(answer.headers["X-Duplicate-Payment-Avoided"]).toBe("true");
    expect(answer.body).toBe('{"n":1}');
    expect(bench.calls.settle).toBe(1);
  });

  test("a settle the facilitator reports as already used is looked up, not refused", async () => {
    const bench = createGateBench();
    bench.script.settle = async () => ({ kind: "unknown", cause: "invalid_exact_evm_nonce_already_used" });
    const payload = await signPayment({ account: bench.newPayer() });
    expect(await refusalOf(bench.buy(v2Header(payload)))).toMatchObject({ code: "settlement_unknown" });
  });
});

describe("a buyer who signs again instead of resending", () => {
  test("within the guard gets the earlier answer and is not charged twice", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const first = await bench.buy(v2Header(await signPayment({ account })));
    const second = await bench.buy(v2Header(await signPayment({ account })));
    expect(second.headers["X-Duplicate-Payment-Avoided"]).toBe("true");
    expect(second.body).toBe(first.body);
    expect(bench.calls.settle).toBe(1);
  });

  test("after the guard buys anew", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    await bench.buy(v2Header(await signPayment({ account })));
    bench.clock.advance(61_000);
    await bench.buy(v2Header(await signPayment({ account }, bench.clock.now())));
    expect(bench.calls.settle).toBe(2);
  });

  test("while his first payment is in flight waits for it", async () => {
    const bench = createGateBench();
    const account = bench.newPayer();
    const released = Promise.withResolvers<void>();
    bench.script.produce = async () => {
      await released.promise;
      return { body: "{}", as_of_ms: 0, expires_at_ms: 0 };
    };
    const first = bench.buy(v2Header(await signPayment({ account })));
    const second = bench.buy(v2Header(await signPayment({ account })));
    released.resolve();
    expect((await first).headers["X-Receipt-Id"]).toBe((await second).headers["X-Receipt-Id"] ?? "");
    expect(bench.calls.settle).toBe(1);
  });

  test("after he hung up gets what he paid for, even with the guard off", async () => {
    const bench = createGateBench({ duplicate_guard_ms: 0 });
    const account = bench.newPayer();
    await bench.buy(v2Header(await signPayment({ account })), "/one", AbortSignal.abort());
    const again = await bench.buy(v2Header(await signPayment({ account })));
    expect(again.headers["X-Duplicate-Payment-Avoided"]).toBe("true");
    expect(bench.calls.settle).toBe(1);
  });
});
