import { expect, test } from "bun:test";
import { privateKeyToAccount } from "viem/accounts";
import { signPayment, v2Header } from "../../../test/helpers/gate-bench.ts";
import { readPayment } from "./read-payment.ts";

const account = privateKeyToAccount("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d");
const NOW_MS = Date.UTC(2026, 0, 1);

test("a request's payment is decoded and hashed once, and anew when its header or the time is another", async () => {
  const headers = v2Header(await signPayment({ account }, NOW_MS));
  const read = readPayment(headers, NOW_MS);
  expect(readPayment(headers, NOW_MS + 4_999)).toBe(read);
  expect(readPayment(headers, NOW_MS + 5_000)).not.toBe(read);
  const other = v2Header(await signPayment({ account, value: 20_000n }, NOW_MS)).get("payment-signature") ?? "";
  headers.set("payment-signature", other);
  expect(readPayment(headers, NOW_MS + 60_000).signed.replay_key).not.toBe(read.signed.replay_key);
});

test("what cannot be read is decoded once and refused each time, and mended it is read", async () => {
  const headers = new Headers({ "payment-signature": "e30=" });
  const refuse = () => {
    try {
      return readPayment(headers, NOW_MS);
    } catch (error) {
      return error;
    }
  };
  const refusal = refuse();
  expect(refusal).toMatchObject({ code: "invalid_payment" });
  expect(refuse()).toBe(refusal);
  headers.set("payment-signature", v2Header(await signPayment({ account }, NOW_MS)).get("payment-signature") ?? "");
  expect(readPayment(headers, NOW_MS).signed.payer).toBe(account.address.toLowerCase());
});
