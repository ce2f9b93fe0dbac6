import { expect, test } from "bun:test";
import type { PaymentTerm } from "intel-node";
import { assertBelowCeiling, readAmount } from "./ceiling.ts";
import { findPaidTerm } from "./payment-fit.ts";

const SELLER = "0x52908400098527886E0F7030069857D2E4169EE7";
const USDC = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const STRANGER = `0x${"7".repeat(40)}`;
const TERM = { scheme: "upto", network: "eip155:84532", asset: USDC, amount: "10000", payTo: SELLER };
const ASKED = {
  scheme: "upto",
  network: "eip155:84532",
  asset: USDC,
  amount_atomic: "10000",
  pay_to: SELLER,
} as PaymentTerm;

/** What was signed; the words beside it are the peer's terms, whatever was signed. */
const render = ({ token = USDC, amount = "10000", to = SELLER } = {}): string => {
  const permit2Authorization = { permitted: { token, amount }, witness: { to } };
  return btoa(JSON.stringify({ x402Version: 2, accepted: TERM, payload: { permit2Authorization } }));
};

test("a permit is passed on when its token, its most and its receiver are what the peer asks for", () => {
  expect(findPaidTerm(render(), [ASKED])).toBe(ASKED);
  expect(findPaidTerm(render({ to: SELLER.toLowerCase() }), [ASKED])).toBe(ASKED);
});

test.each([
  ["another receiver", { to: STRANGER }],
  ["another token", { token: STRANGER }],
  ["more", { amount: "10001" }],
])("a permit for %s stays here, whatever is written beside it", (_what, change) => {
  expect(() => findPaidTerm(render(change), [ASKED])).toThrow("It was not passed on");
});

test("the caller's own ceiling is held to the most that was signed", () => {
  expect(readAmount(render({ amount: "500000" }))).toBe(500_000n);
  expect(() => assertBelowCeiling([render({ amount: "500000" })], "499999")).toThrow("it moves 500000");
});
