import { expect, test } from "bun:test";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import type { Requirement } from "../types.ts";
import { createVerifiedPayments } from "./verified-payments.ts";

const requirement: Requirement = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "10000",
  asset: "0xusdc",
  payTo: "0xseller",
  maxTimeoutSeconds: 60,
  extra: {},
};
const SIGNED = { signed: { replay_key: "key", payload_hash: "hash" }, requirement };

test("a facilitator's word on a payment is good for half a minute, whichever way the clock goes", () => {
  const clock = createStillClock();
  const verified = createVerifiedPayments({ clock });
  expect(verified.find(SIGNED)).toBeNull();
  verified.note(SIGNED, "https://facilitator.example");
  clock.advance(29_999);
  expect(verified.find(SIGNED)).toBe("https://facilitator.example");
  clock.advance(1);
  expect(verified.find(SIGNED)).toBeNull();
  clock.advance(-60_000);
  expect(verified.find(SIGNED)).toBeNull();
});

test("it is on this very payment to this very address for this amount, until it is settled", () => {
  const verified = createVerifiedPayments({ clock: createStillClock() });
  verified.note(SIGNED, "f");
  for (const other of [
    { ...SIGNED, signed: { ...SIGNED.signed, replay_key: "other" } },
    { ...SIGNED, signed: { ...SIGNED.signed, payload_hash: "other" } },
    ...(["network", "asset", "payTo", "amount"] as const).map((name) => ({
      ...SIGNED,
      requirement: { ...requirement, [name]: name === "network" ? "eip155:1" : "other" } as Requirement,
    })),
  ]) {
    expect(verified.find(other)).toBeNull();
  }
  verified.forget(SIGNED);
  expect(verified.find(SIGNED)).toBeNull();
});
