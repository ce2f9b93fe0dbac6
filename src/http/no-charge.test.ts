import { describe, expect, test } from "bun:test";
import { type ErrorCode, NodeError } from "../core/errors.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { UnchargedCall } from "../trust/no-charge.ts";
import { createNoCharge } from "./no-charge.ts";

/** A version 2 payment of Base Sepolia; its signature is never looked at here. */
const PAYMENT = btoa(
  JSON.stringify({
    x402Version: 2,
    accepted: { scheme: "exact", network: "eip155:84532" },
    payload: {
      signature: `0x${"11".repeat(65)}`,
      authorization: {
        from: "0x1111111111111111111111111111111111111111",
        to: "0x2222222222222222222222222222222222222222",
        value: "10000",
        validAfter: "0",
        validBefore: "1900000000",
        nonce: `0x${"33".repeat(32)}`,
      },
    },
  }),
);

function createBench(charged = false) {
  const signed: UnchargedCall[] = [];
  const looked = { keys: 0, payments: 0 };
  const clock = { now_ms: 1_800_000_000_000, now: () => clock.now_ms };
  const keys = {
    find: async () => {
      looked.keys += 1;
      return null;
    },
  };
  const receipts = {
    mayBeCharged: async () => {
      looked.payments += 1;
      return charged;
    },
  };
  const state = createNoCharge({
    ledger: { keys, receipts } as unknown as Ledger,
    clock,
    sign: (call) => {
      signed.push(call);
      return "jws";
    },
  });
  const fail = (code: ErrorCode, headers: Record<string, string>, more: { charge_unknown?: boolean } = {}) => {
    const request = new Request("http://localhost/one", { headers });
    return state({ request, request_id: "req_1", path: "/one", error: new NodeError(code, "", more) });
  };
  return { fail, signed, looked, clock };
}
const paying = { "payment-signature": PAYMENT };

describe("a no-charge statement", () => {
  test("is signed once per answer", async () => {
    const { fail, signed } = createBench();
    expect(await fail("invalid_payment", { ...paying, "x-api-key": "x", "x-coupon": "x" })).toBe("jws");
    expect(signed).toHaveLength(1);
    expect(signed[0]?.payment?.payer).toBe("0x1111111111111111111111111111111111111111");
  });

  test("is not made while an outcome is open, and not where something broke after money moved", async () => {
    const { fail, signed } = createBench(true);
    expect(await fail("settlement_unknown", paying)).toBeNull();
    expect(await fail("upstream_unavailable", paying, { charge_unknown: true })).toBeNull();
    expect(await fail("internal_error", paying)).toBeNull();
    expect(signed).toEqual([]);
    expect(await fail("payment_already_used", paying)).toBe("jws");
    expect(signed[0]?.payment).toBeUndefined();
  });

  test("is made where something broke before money moved", async () => {
    const { fail, signed } = createBench(false);
    expect(await fail("internal_error", paying)).toBe("jws");
    expect(signed[0]?.payment).toBeDefined();
  });

  test("costs a flood nothing: who is over the limit gets at most 300 at once and 100 a second, unread", async () => {
    const { fail, looked, clock } = createBench();
    const flood = async () =>
      (await Promise.all(Array.from({ length: 1_000 }, () => fail("rate_limited", paying)))).filter(Boolean).length;
    expect(await flood()).toBe(300);
    expect(await flood()).toBe(0);
    clock.now_ms += 1_000;
    expect(await flood()).toBe(100);
    expect(looked).toEqual({ keys: 0, payments: 0 });
    // Calls that are not over the limit are not counted.
    expect(await fail("invalid_payment", paying)).toBe("jws");
  });
});
