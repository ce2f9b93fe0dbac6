import { describe, expect, test } from "bun:test";
import { asHeader, codeOf, Refused, sign } from "../helpers/a2a-buyers.ts";
import { noteSecret } from "../helpers/secrets.ts";
import { createTasksRig } from "../helpers/tasks-rig.ts";

/** API keys at the A2A door, and its limits. */
const rig = createTasksRig();
const { challenge, newPayer, pay, startBuyer } = rig;

describe("keys and payments together", () => {
  test("a key pays first: the payment that came along is not touched, and the task is not debited again", async () => {
    const asked = await rig.buyer.send({ skill: "buy_credits" });
    const bought = await pay(asked, await sign(asked, await newPayer()));
    const key = String(bought.data?.api_key);
    noteSecret(key);
    const keyed = await startBuyer({ "X-API-Key": key });
    const metadata = await sign(await challenge(), await newPayer());
    const done = await keyed.send({ skill: "one", params: { q: "a" }, metadata });
    expect(done).toMatchObject({ state: "completed", about: { credits_remaining: "1.24" } });
    expect(done.metadata["x402.payment.receipts"]).toBeUndefined();
    expect(await codeOf(keyed.send({ task: done.id, text: "Again.", metadata }))).toBe(-32004);
    const over_http = await fetch(`${rig.money.url}/one?q=a`, { headers: asHeader(metadata) });
    expect(over_http.status).toBe(200);
    expect(over_http.headers.get("x-idempotent-replay")).toBeNull();
    const status = await fetch(`${rig.money.url}/credits-status`, { headers: { "X-API-Key": key } });
    expect(await status.json()).toMatchObject({ balance_atomic: "1240000" });
  });

  test("an invalid key gets the price and the reason, and the payment that follows is accepted", async () => {
    const wrong = await startBuyer({ "X-API-Key": "ink_0000000000000000000000000000000000000000" });
    const task = await wrong.send({ skill: "one", params: { q: "a" } });
    expect(task).toMatchObject({ state: "input-required", data: null });
    expect(task.metadata).toMatchObject({
      "x402.payment.status": "payment-required",
      "x402.payment.error": "INVALID_API_KEY",
    });
    expect((await pay(task, await sign(task, await newPayer()))).state).toBe("completed");
  });

  test("a coupon pays for one call, and not for the next", async () => {
    const { coupon } = (await (await fetch(`${rig.money.url}/welcome`)).json()) as { coupon: string };
    const guest = await startBuyer({ "X-Coupon": coupon });
    const ask = { skill: "one", params: { q: "coupon" } };
    expect(await guest.send(ask)).toMatchObject({ state: "completed", data: { product: "one" } });
    const next = await guest.send({ ...ask, params: { q: "other" } });
    expect(next).toMatchObject({ state: "input-required", data: null });
    expect(next.metadata).toMatchObject({ "x402.payment.error": "INVALID_COUPON" });
    expect(rig.money.settlements()).toBe(0);
  });

  test("a call by key that has a name is debited once", async () => {
    const asked = await rig.buyer.send({ skill: "buy_credits" });
    const bought = await pay(asked, await sign(asked, await newPayer()));
    const key = String(bought.data?.api_key);
    noteSecret(key);
    const named = await startBuyer({ "X-API-Key": key, "Idempotency-Key": "the-only-call-i-make" });
    const first = await named.send({ skill: "one", params: { q: "a" } });
    const second = await named.send({ skill: "one", params: { q: "a" } });
    expect(second.data).toEqual(first.data);
    const status = await fetch(`${rig.money.url}/credits-status`, { headers: { "X-API-Key": key } });
    expect(await status.json()).toMatchObject({ balance_atomic: "1240000" });
  });

  test("headers of HTTP payments are not read here: the message has to bring them", async () => {
    const metadata = await sign(await challenge(), await newPayer());
    const sneaky = await startBuyer(asHeader(metadata));
    expect((await sneaky.send({ skill: "one", params: { q: "a" } })).state).toBe("input-required");
    expect(rig.money.settlements()).toBe(0);
  });
});

test("a payment of which nothing is known yet is asked about alone, whatever key comes along", async () => {
  const bought = await rig.buyer.send({ skill: "buy_credits" });
  const { data } = await pay(bought, await sign(bought, await newPayer()));
  const key = String(data?.api_key);
  noteSecret(key);
  const asked = await challenge();
  const metadata = await sign(asked, await newPayer());
  const settle = rig.money.facilitator.script.settle;
  rig.money.facilitator.script.settle = async (forward) => {
    await forward();
    return new Response("{{{");
  };
  await pay(asked, metadata);
  rig.money.facilitator.script.settle = settle;
  const keyed = await startBuyer({ "X-API-Key": key });
  rig.money.clock.advance(60_000);
  const done = await keyed.send({ task: asked.id, text: "Here.", metadata });
  expect(done).toMatchObject({ state: "completed", data: { product: "one" } });
  expect(done.metadata["x402.payment.status"]).toBe("payment-completed");
  const again = await keyed.send({ task: asked.id, text: "Again.", metadata });
  expect(again.data).toEqual(done.data);
  const status = await fetch(`${rig.money.url}/credits-status`, { headers: { "X-API-Key": key } });
  expect(await status.json()).toMatchObject({ balance_atomic: "1250000" });
  expect(rig.money.settlements()).toBe(2);
});

test.each([
  ["a key on a plan, which no key pays for", { skill: "buy_credits" }],
  ["a key on a preview", { skill: "one", params: { preview: true } }],
  ["a key on a preview written otherwise", { text: "GET /one?%70review=%31" }],
  ["a key that is none", { skill: "one" }],
])("%s does not lift the limit of free calls", async (_, ask) => {
  const keyed = await startBuyer({ "X-API-Key": "ink_none" });
  rig.money.node.setLimits(true);
  let sent = 0;
  const more = () =>
    keyed.send(ask).then(
      () => true,
      (error: unknown) => error instanceof Refused,
    );
  while (sent < 300 && (await more())) sent += 1;
  expect(sent).toBeLessThan(300);
});

test("free calls are limited by address, paying ones while their payments are good", async () => {
  const asked = await challenge();
  const metadata = await sign(asked, await newPayer());
  rig.money.node.setLimits(true);
  const post = (headers: Record<string, string>) =>
    fetch(`${rig.money.url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: asked.id } }),
    });
  let last = await post({});
  for (let n = 0; n < 200 && last.status === 200; n++) last = await post({ "X-API-Key": "ink_none" });
  expect(last.status).toBe(429);
  expect(last.headers.get("retry-after")).not.toBeNull();
  expect((await pay(asked, metadata)).state).toBe("completed");
});
