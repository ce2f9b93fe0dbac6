import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { newPayer } from "../helpers/demo-node.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { noteSecret } from "../helpers/secrets.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** A watch that is paid for by a payment: it buys the key whose balance the watch spends. */
let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode();
});
afterAll(() => money.stop());

const ORDER = { product: "/one", every: "1h", condition: { field: "n", op: "changed" } };
interface Set {
  readonly watch: string;
  readonly api_key: string;
  readonly budget_usd: string;
  readonly granted_usd: string;
  readonly receipt: string;
}
const post = (order: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${money.url}/watch`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(order),
  });
async function readSet(response: Response): Promise<Set> {
  const set = (await response.json()) as Set;
  expect(response.status, JSON.stringify(set)).toBe(201);
  if (set.api_key !== "withheld") noteSecret(set.api_key);
  return set;
}
const signFor = async (order: object): Promise<Record<string, string>> => ({
  "PAYMENT-SIGNATURE": await createPaymentPayload(await post(order), newPayer()),
});
const balanceOf = async (api_key: string): Promise<unknown> =>
  (
    (await (await fetch(`${money.url}/credits-status`, { headers: { "X-API-Key": api_key } })).json()) as {
      readonly balance_atomic: string;
    }
  ).balance_atomic;

test("the price is that of the key, and the official client pays it", async () => {
  const unpaid = await post(ORDER);
  expect([unpaid.status, unpaid.headers.has("PAYMENT-REQUIRED")]).toEqual([402, true]);
  const before = money.settlements();
  const pay = wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", new ExactEvmScheme(newPayer())));
  const paid = await pay(`${money.url}/watch`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(ORDER),
  });
  const set = await readSet(paid);
  expect(set).toMatchObject({ budget_usd: "1.25", granted_usd: "1.25", state: "active" });
  expect(paid.headers.has("PAYMENT-RESPONSE")).toBe(true);
  expect(set.receipt).toBe(paid.headers.get("x-receipt-id") ?? "");
  expect(money.settlements()).toBe(before + 1);

  // The first look tells nothing and costs a tenth, to the unit.
  await money.node.checkWatches();
  expect(await balanceOf(set.api_key)).toBe("1249000");
  const headers = { "X-API-Key": set.api_key };
  expect(await (await fetch(`${money.url}/watch/${set.watch}`, { headers })).json()).toMatchObject({
    evaluations: 1,
    spent_usd: "0.001",
  });
  // What is left is the buyer's, by the same rules as any balance.
  expect((await fetch(`${money.url}/two`, { headers })).status).toBe(200);
  expect(await balanceOf(set.api_key)).toBe("1239000");
  expect((await money.node.audit()).ok).toBe(true);
});

test("the same payment again is the same watch and key, also at once; at /buy-credits it is that key", async () => {
  // Whoever names his payment proves by the name that it is his.
  const signed = await signFor(ORDER);
  const headers = { ...signed, "Idempotency-Key": "a-watch-of-the-regime" };
  const before = money.settlements();
  const sets = await Promise.all([1, 2, 3].map(async () => readSet(await post(ORDER, headers))));
  sets.push(await readSet(await post(ORDER, headers)));
  expect(new Set(sets.map(({ watch }) => watch)).size).toBe(1);
  expect(new Set(sets.map(({ api_key }) => api_key)).size).toBe(1);
  expect(money.settlements()).toBe(before + 1);
  const bought = (await (await fetch(`${money.url}/buy-credits`, { headers })).json()) as { readonly api_key: string };
  expect(bought.api_key).toBe(sets[0]?.api_key ?? "");

  const unproven = await readSet(await post(ORDER, signed));
  expect(unproven).toMatchObject({ watch: sets[0]?.watch, api_key: "withheld" });
  for (const own of ["condition", "params", "webhook", "key_id", "next_at"]) expect(unproven).not.toHaveProperty(own);
  const other = await post({ ...ORDER, every: "2h" }, headers);
  expect([other.status, ((await other.json()) as { readonly code: string }).code]).toEqual([
    409,
    "identifier_conflict",
  ]);
  expect(money.settlements()).toBe(before + 1);
});

describe("nothing is paid", () => {
  const bad: readonly (readonly [string, object, string])[] = [
    ["a field that is none", { ...ORDER, condition: { field: "m", op: "changed" } }, "condition.field"],
    ["a product that is none", { ...ORDER, product: "/oen" }, "product"],
    ["a budget above what a key grants", { ...ORDER, budget_usd: "1000" }, "budget_usd"],
    ["a receiver before there is a key", { ...ORDER, webhook: "https://example.com" }, "webhook"],
    ["a time before its first mark", { ...ORDER, every: undefined, cron: "0 0 1 1 *", until: soon() }, "until"],
  ];
  test.each(bad)("for %s", async (_, order, param) => {
    const headers = await signFor(ORDER);
    const before = money.settlements();
    for (const refused of [await post(order, headers), await post(order)]) {
      expect([refused.status, ((await refused.json()) as { readonly param: string }).param]).toEqual([422, param]);
    }
    expect(money.settlements()).toBe(before);
  });

  test("for a payment that is refused, and no watch is set", async () => {
    const headers = await signFor(ORDER);
    money.facilitator.script.settle = () =>
      Response.json({ success: false, errorReason: "insufficient_funds", transaction: "", network: "eip155:84532" });
    try {
      expect((await post(ORDER, headers)).status).toBe(402);
    } finally {
      money.facilitator.script.settle = (forward) => forward();
    }
  });
});

/** A minute from now: before any first of January but one. */
function soon(): string {
  return new Date(Date.now() + 60_000).toISOString();
}
