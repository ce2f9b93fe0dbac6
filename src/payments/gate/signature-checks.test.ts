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

const CLIENT = "192.0.2.1";
const bad = async () => "no" as const;
const good = async () => "yes" as const;

test("so many bad ones a minute are looked at for an address, then it waits for the next", async () => {
  const clock = createStillClock();
  const checks = createSignatureChecks({ clock, per_minute: 6, limitOf: (client) => client });
  for (let times = 0; times < 6; times += 1) expect(await checks.spend(CLIENT, bad)).toBe("no");
  await expect(checks.spend(CLIENT, bad)).rejects.toMatchObject({
    code: "rate_limited",
    options: { retry_after_s: 10 },
  });
  clock.advance(9_999);
  await expect(checks.spend(CLIENT, good)).rejects.toMatchObject({ options: { retry_after_s: 1 } });
  clock.advance(1);
  expect(await checks.spend(CLIENT, bad)).toBe("no");
});

test("good ones cost nothing, and an address that is not limited pays for none", async () => {
  const limitOf = (client: string) => (client === CLIENT ? client : null);
  const checks = createSignatureChecks({ clock: createStillClock(), per_minute: 2, limitOf });
  for (let times = 0; times < 100; times += 1) expect(await checks.spend(CLIENT, good)).toBe("yes");
  for (let times = 0; times < 100; times += 1) expect(await checks.spend("10.0.0.1", bad)).toBe("no");
  expect(await checks.spend(CLIENT, bad)).toBe("no");
});

test("all addresses together have twenty times one's; then only who sent next to nothing bad is heard", async () => {
  const checks = createSignatureChecks({ clock: createStillClock(), per_minute: 10, limitOf: (client) => client });
  for (let n = 0; n < 200; n += 1) await checks.spend(`flood ${n % 40}`, bad);
  // Its first one leaves nine tenths of its own; its second does not, and is given back.
  expect(await checks.spend("clean", bad)).toBe("no");
  for (let times = 0; times < 20; times += 1) {
    await expect(checks.spend("clean", bad)).rejects.toMatchObject({
      code: "overloaded",
      options: { retry_after_s: 2 },
    });
  }
});

test("good ones of many addresses leave the common budget as it is", async () => {
  const checks = createSignatureChecks({ clock: createStillClock(), per_minute: 10, limitOf: (client) => client });
  for (let n = 0; n < 300; n += 1) await checks.spend(`buyer ${n % 40}`, good);
  for (let n = 0; n < 2; n += 1) expect(await checks.spend("somebody", bad)).toBe("no");
});

test("another budget begins anew; the same one stays as it is", async () => {
  const checks = createSignatureChecks({ clock: createStillClock(), per_minute: 1, limitOf: (client) => client });
  await checks.spend(CLIENT, bad);
  checks.configure(1);
  await expect(checks.spend(CLIENT, bad)).rejects.toMatchObject({ code: "rate_limited" });
  checks.configure(2);
  for (let times = 0; times < 2; times += 1) expect(await checks.spend(CLIENT, bad)).toBe("no");
  await expect(checks.spend(CLIENT, bad)).rejects.toMatchObject({ message: expect.stringContaining("More than 2") });
});
