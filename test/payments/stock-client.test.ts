import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { type MoneyNode, type Reply, startMoneyNode } from "../helpers/money-node.ts";

/** The official client, as anybody would set it up: it signs a new payment for every call. */
const clientOf = (account: PrivateKeyAccount): typeof fetch =>
  wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", new ExactEvmScheme(account))) as typeof fetch;

/** The facilitator broadcasts, and then nobody hears of it again. */
const lostAfterBroadcast: Reply = async (forward, signal) => {
  await forward();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(new Response(null, { status: 504 })), { once: true }),
  );
};

let money: MoneyNode;
beforeEach(async () => {
  money = await startMoneyNode();
});
afterEach(() => money.stop());

const fund = (account: PrivateKeyAccount, amount_atomic: string) =>
  fetch(`${money.url}/__sandbox/fund`, {
    method: "POST",
    body: JSON.stringify({ network: "eip155:84532", address: account.address, amount_atomic }),
  });

describe("the stock client, whose settlement timed out after it was broadcast,", () => {
  test.each([
    ["a full wallet", "100000000"],
    ["a wallet that held the price of one call", "10000"],
  ])("gets the data with its next call, out of %s, and the chain shows one transfer", async (_what, amount) => {
    const account = privateKeyToAccount(generatePrivateKey());
    expect((await fund(account, amount)).status).toBe(200);
    const pay = clientOf(account);
    money.facilitator.script.settle = lostAfterBroadcast;
    const first = await pay(`${money.url}/one`);
    expect(first.status).toBe(503);
    expect(await first.json()).toMatchObject({ code: "settlement_unknown" });
    expect(money.settlements()).toBe(1);

    money.facilitator.script.settle = (forward) => forward();
    // Within the pause of the look-ups an emptied wallet would hear "unknown" once more.
    money.clock.advance(3_000);
    const second = await pay(`${money.url}/one`);
    expect(second.status).toBe(200);
    expect(second.headers.get("X-Duplicate-Payment-Avoided")).toBe("true");
    expect(await second.json()).toMatchObject({ product: "one" });
    expect(money.settlements()).toBe(1);
    expect(money.facilitator.calls.settle).toBe(1);
    expect(await money.node.audit()).toMatchObject({ ok: true, receipts: 1 });
  });

  test("gets the key it bought with its next call", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    await fund(account, "10000");
    const pay = clientOf(account);
    money.facilitator.script.settle = lostAfterBroadcast;
    expect((await pay(`${money.url}/buy-credits`)).status).toBe(503);
    money.clock.advance(3_000);
    const second = await pay(`${money.url}/buy-credits`);
    expect(((await second.json()) as { api_key: string }).api_key).toStartWith("ink_");
    expect(money.settlements()).toBe(1);
  });
});

test("the stock client that calls twice in a moment is charged once, unless it says that it means it", async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const pay = clientOf(account);
  await pay(`${money.url}/one`);
  expect((await pay(`${money.url}/one`)).headers.get("X-Duplicate-Payment-Avoided")).toBe("true");
  expect(money.settlements()).toBe(1);
  const meant = await pay(`${money.url}/one`, { headers: { "X-Allow-Duplicate": "true" } });
  expect(meant.headers.get("X-Duplicate-Payment-Avoided")).toBeNull();
  expect(money.settlements()).toBe(2);
});

test("a browser may send every header a buyer needs", async () => {
  const answer = await fetch(`${money.url}/one`, { method: "OPTIONS" });
  const allowed = answer.headers.get("Access-Control-Allow-Headers") ?? "";
  for (const name of ["X-Allow-Duplicate", "Idempotency-Key", "PAYMENT-SIGNATURE", "X-PAYMENT"]) {
    expect(allowed).toContain(name);
  }
});
