import { describe, expect, test } from "bun:test";
import type { PaymentTerm } from "intel-node";
import { assertBelowCeiling, readAmount } from "./ceiling.ts";
import { findPaidTerm } from "./payment-fit.ts";

const SELLER = "0x52908400098527886E0F7030069857D2E4169EE7";
const USDC = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const TERM = { scheme: "batch-settlement", network: "eip155:84532", asset: USDC, amount: "10000", payTo: SELLER };
const ASKED = {
  scheme: "batch-settlement",
  network: "eip155:84532",
  asset: USDC,
  amount_atomic: "10000",
  pay_to: SELLER,
} as PaymentTerm;

const render = (payload: object): string => btoa(JSON.stringify({ x402Version: 2, accepted: TERM, payload }));
const configOf = (change: object = {}) => ({ receiver: SELLER.toLowerCase(), token: USDC.toLowerCase(), ...change });
const DEPOSIT = { type: "deposit", channelConfig: configOf(), deposit: { amount: "500000" } };

describe("a payment from the caller's channel", () => {
  test("that pays into it moves its deposit: the caller's ceiling applies to that", () => {
    expect(readAmount(render(DEPOSIT))).toBe(500_000n);
    expect(() => assertBelowCeiling([render(DEPOSIT)], "499999")).toThrow("it moves 500000");
    expect(() => assertBelowCeiling([render(DEPOSIT)], "500000")).not.toThrow();
    const voucher = render({ type: "voucher", channelConfig: configOf() });
    expect(readAmount(voucher)).toBe(10_000n);
  });

  test("goes only to the receiver that its channel was signed for", () => {
    expect(findPaidTerm(render(DEPOSIT), [ASKED])).toBe(ASKED);
    for (const change of [{ receiver: `0x${"7".repeat(40)}` }, { token: `0x${"8".repeat(40)}` }]) {
      const payment = render({ ...DEPOSIT, channelConfig: configOf(change) });
      expect(() => findPaidTerm(payment, [ASKED])).toThrow("It was not passed on");
    }
  });
});
