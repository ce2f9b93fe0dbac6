import { afterEach, beforeEach, expect, test } from "bun:test";
import { NodeError } from "../../src/core/errors.ts";
import { createBasketWorld, ITEM_PATHS } from "../helpers/basket-products.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** What a holder may have for nothing a minute; one call of /one is 1.2 units, and more where it takes long. */
const PER_MINUTE = 30;
const TRIES = 60;
/** Works of one payer that may be under way while his last unit is used up. */
const AT_ONCE = 4;

let money: MoneyNode;
beforeEach(async () => {
  money = await startMoneyNode('[plans.day_pass]\nprice = "1.00"', undefined, { timeout: "5s" });
  money.node.setLimits(true);
});
afterEach(() => money.stop());

const findNothing = () => Promise.reject(new NodeError("subject_not_found", "nobody knows it"));
const sign = async (): Promise<Record<string, string>> => {
  const [first] = PAYERS;
  if (!first) throw new Error("nobody pays");
  return payFor(`${money.url}/one`, await first.newPayer(money.url), 2);
};
const call = (headers: Record<string, string>, n = 0) => fetch(`${money.url}/one?q=${n}`, { headers });
async function issueKey(more: object): Promise<string> {
  const response = await fetch(`${money.url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${money.node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: "issue", ...more }),
  });
  const { api_key } = (await response.json()) as { api_key: string };
  noteSecret(api_key);
  return api_key;
}

/** Asks for nothing again and again: how many calls were worked off, and what the last one heard. */
async function attack(headers: Record<string, string>): Promise<{ readonly worked: number; readonly last: Response }> {
  money.work.produce = findNothing;
  let [worked, last] = [0, new Response()];
  for (let n = 0; n < TRIES; n += 1) {
    last = await call(headers);
    if (last.status === 404) worked += 1;
  }
  return { worked, last };
}

test("one payment that buys nothing is worked off for a while, told to wait, and still buys", async () => {
  const honest = await sign();
  expect((await fetch(`${money.url}/one`, { headers: honest })).status).toBe(200);
  const { verify } = money.facilitator.calls;
  const payment = await sign();
  const { worked, last } = await attack(payment);
  expect(worked).toBeGreaterThan(0);
  expect(worked).toBeLessThanOrEqual(PER_MINUTE);
  // A facilitator's word is kept for a moment: it is not asked again for each of them.
  expect(money.facilitator.calls.verify - verify).toBe(1);
  expect([last.status, Number(last.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await last.json()).toMatchObject({ code: "rate_limited", charged: false });
  money.work.produce = async () => undefined;
  // Whoever else pays is served meanwhile, and the payment was never used up.
  expect((await call(await sign())).status).toBe(200);
  money.clock.advance(30_000);
  expect((await call(payment)).status).toBe(200);
  expect(await money.node.audit()).toMatchObject({ ok: true, receipts: 3 });
  const metrics = await fetch(`${money.url}/metrics`, {
    headers: { authorization: `Bearer ${money.node.operator_token}` },
  });
  expect(await metrics.text()).toMatch(/unpaid_work_refused(_total)?\{of="holder"\} [1-9]/);
});

test.each([
  ["a balance", { credit_usd: "1" }],
  ["a pass", { plan: "day_pass" }],
])("%s is held to the same, whichever child of it calls", async (_what, terms) => {
  const api_key = await issueKey(terms);
  const { worked, last } = await attack({ "x-api-key": api_key });
  expect(worked).toBeGreaterThan(0);
  expect(worked).toBeLessThanOrEqual(PER_MINUTE);
  expect(last.status).toBe(429);
  money.work.produce = async () => undefined;
  money.clock.advance(30_000);
  expect((await call({ "x-api-key": api_key })).status).toBe(200);
  expect(await money.node.audit()).toMatchObject({ ok: true });
});

test.each([
  ["a balance", { credit_usd: "1" }],
  ["a pass", { plan: "day_pass" }],
])("%s whose calls come all at once has no more for nothing than one after another", async (_what, terms) => {
  const api_key = await issueKey(terms);
  money.work.produce = findNothing;
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => (await call({ "x-api-key": api_key }, n)).status),
  );
  const worked = statuses.filter((status) => status === 404).length;
  expect(worked).toBeGreaterThan(0);
  expect(worked).toBeLessThanOrEqual(PER_MINUTE + AT_ONCE);
  expect(statuses.filter((status) => status === 429).length).toBe(200 - worked);
});

test("so has one address with many wallets", async () => {
  const [first] = PAYERS;
  if (!first) throw new Error("nobody pays");
  const [per_minute, slots] = [2, 4];
  await money.stop();
  const limits = `unpaid_work_per_minute = ${per_minute}\nproduce_slots = ${slots}`;
  money = await startMoneyNode("", undefined, { timeout: "5s", limits });
  money.node.setLimits(false);
  const payments = await Promise.all(
    Array.from({ length: 40 }, async () => payFor(`${money.url}/one`, await first.newPayer(money.url), 2)),
  );
  money.node.setLimits(true);
  money.work.produce = findNothing;
  const codes = await Promise.all(
    payments.map(async (headers) => ((await (await call(headers)).json()) as { code: string }).code),
  );
  const worked = codes.filter((code) => code === "subject_not_found").length;
  expect(worked).toBeGreaterThan(0);
  expect(worked).toBeLessThanOrEqual(4 * per_minute + slots);
  expect(codes.filter((code) => code === "rate_limited").length).toBe(40 - worked);
});

test("a basket that one part spoils counts for each of its parts", async () => {
  await money.stop();
  const world = createBasketWorld();
  money = await startMoneyNode("", undefined, { timeout: "5s", products: world.products });
  money.node.setLimits(true);
  const api_key = await issueKey({ credit_usd: "10" });
  world.silent.add("/item-20");
  // Previews were made at the start.
  world.runs.clear();
  let last = new Response();
  for (let n = 0; n < TRIES; n += 1) {
    const word = `w${String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))}`;
    const items = ITEM_PATHS.map((product) => ({ product, params: { word } }));
    last = await fetch(`${money.url}/basket`, {
      method: "POST",
      headers: { "x-api-key": api_key, "content-type": "application/json" },
      body: JSON.stringify({ items }),
    });
  }
  const made = [...world.runs.values()].reduce((sum, runs) => sum + runs, 0);
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThanOrEqual(PER_MINUTE + ITEM_PATHS.length);
  expect(last.status).toBe(429);
});

test("a facilitator's word on a payment holds for half a minute, and until it is to be settled", async () => {
  const payment = await sign();
  const asked = async (): Promise<number> => {
    const { verify } = money.facilitator.calls;
    await call(payment);
    return money.facilitator.calls.verify - verify;
  };
  money.work.produce = findNothing;
  expect([await asked(), await asked()]).toEqual([1, 0]);
  money.clock.advance(30_000);
  expect([await asked(), await asked()]).toEqual([1, 0]);
  money.facilitator.script.settle = () =>
    Response.json({ success: false, errorReason: "insufficient_funds", transaction: "", network: "eip155:84532" });
  money.work.produce = async () => undefined;
  expect([await asked(), await asked()]).toEqual([0, 1]);
});

test("what was produced and whose settlement is refused counts too", async () => {
  money.facilitator.script.settle = () =>
    Response.json({ success: false, errorReason: "insufficient_funds", transaction: "", network: "eip155:84532" });
  const [first] = PAYERS;
  if (!first) throw new Error("nobody pays");
  const payer = await first.newPayer(money.url);
  let refused = 0;
  for (let n = 0; n < TRIES; n += 1) {
    const answer = await call(await payFor(`${money.url}/one`, payer, 2), n);
    if (answer.status === 429) refused += 1;
  }
  expect(refused).toBeGreaterThan(0);
  expect(money.work.produced).toBeLessThanOrEqual(PER_MINUTE);
});
