import { expect, test } from "bun:test";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { networkById } from "../networks/table.ts";
import { readPayment } from "./read-payment.ts";
import { createSignatureChecks } from "./signature-checks.ts";

const network = networkById("eip155:84532");
if (!network) throw new Error("Base Sepolia is in the table");

/** A payment whose signature recovers to somebody, though not to its payer. */
const forged = (nonce: string) => {
  const authorization = {
    from: `0x${"a".repeat(40)}`,
    to: `0x${"b".repeat(40)}`,
    value: "10000",
    validAfter: "0",
    validBefore: "4000000000",
    nonce: `0x${nonce.repeat(64)}`,
  };
  const payload = { signature: `0x${"11".repeat(64)}1b`, authorization };
  const whole = { x402Version: 2, accepted: { scheme: "exact", network: network.id }, payload };
  const headers = new Headers({ "payment-signature": Buffer.from(JSON.stringify(whole)).toString("base64") });
  return readPayment(headers, 0);
};

test("a payload that was looked at is not looked at again, and costs nothing more", async () => {
  const checks = createSignatureChecks({ clock: createStillClock(), per_minute: 1, limitOf: (client) => client });
  expect(await checks.check(forged("1"), "192.0.2.1")).toBe("ask");
  expect(await checks.check(forged("1"), "192.0.2.1")).toBe("ask");
  await expect(checks.check(forged("2"), "192.0.2.1")).rejects.toMatchObject({ code: "rate_limited" });
  expect(await checks.check(forged("2"), "192.0.2.2")).toBe("ask");
});
