import { describe, expect, test } from "bun:test";
import { renderCall, renderPayload } from "./render-payload.ts";
import type { PaymentToSettle } from "./types.ts";

const PAYMENT: PaymentToSettle = {
  payload: { signature: "0x01", authorization: { nonce: "0x02", note: 'a "quoted" ü\n' } },
  requirement: {
    scheme: "exact",
    network: "eip155:84532",
    amount: "1000",
    asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    payTo: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    maxTimeoutSeconds: 300,
    extra: { name: "USDC", version: "2" },
  },
  fee_payer: null,
};
const resource = { url: "http://127.0.0.1/a", description: 'Says "ü".' };
const extensions = { bazaar: { info: { input: {} }, schema: {} } };

describe("the body of a call to a facilitator", () => {
  test.each<[what: string, payment: PaymentToSettle]>([
    ["bare", PAYMENT],
    ["with a resource", { ...PAYMENT, resource }],
    ["with extensions", { ...PAYMENT, extensions }],
    ["with both", { ...PAYMENT, resource, extensions }],
  ])("is the payload with our requirement: %s", (_what, payment) => {
    const { requirement: paymentRequirements } = payment;
    const whole = { x402Version: 2, paymentPayload: renderPayload(payment), paymentRequirements };
    expect(renderCall(payment)).toBe(JSON.stringify(whole));
    expect(renderCall(payment)).toBe(JSON.stringify(whole));
  });

  test("is another one for another payment over the same requirement", () => {
    const other = { ...PAYMENT, payload: { signature: "0x03" } };
    expect(JSON.parse(renderCall(PAYMENT)).paymentPayload.payload).toEqual(PAYMENT.payload);
    expect(JSON.parse(renderCall(other)).paymentPayload.payload).toEqual(other.payload);
  });
});
