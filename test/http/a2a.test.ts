import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { A2A_BUYERS, type A2ABuyer, asHeader, codeOf, type SeenTask, sign, submit } from "../helpers/a2a-buyers.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";
import { noteSecret } from "../helpers/secrets.ts";

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode();
});
afterAll(() => money.stop());

const [base] = PAYERS as [(typeof PAYERS)[number]];
const newPayer = () => base.newPayer(money.url);

describe.each(A2A_BUYERS)("the official client of A2A %s", (version, start) => {
  let buyer: A2ABuyer;
  beforeAll(async () => {
    buyer = await start(money.url, {});
  });

  const challenge = (q: string): Promise<SeenTask> => buyer.send({ skill: "one", params: { q } });
  const paid = async (q: string) => {
    const asked = await challenge(q);
    const metadata = await sign(asked, await newPayer());
    return { metadata, task: await buyer.send({ task: asked.id, text: "Here it is.", metadata }) };
  };

  test("is told the price first, in the words of the x402 extension", async () => {
    const task = await challenge("price");
    expect(task).toMatchObject({ state: "input-required", payments: [null, "payment-required"], data: null });
    const over_http = await fetch(`${money.url}/one?q=price`);
    const header = JSON.parse(atob(over_http.headers.get("PAYMENT-REQUIRED") ?? ""));
    // The head has less room: of what a payment needs it says the same.
    const { x402Version, accepts } = header;
    // Over HTTP it is the address as called; here the parameters stand in the message.
    const resource = { ...header.resource, url: `${money.url}/one` };
    expect(task.metadata["x402.payment.required"]).toMatchObject({ x402Version, accepts, resource });
    expect(task.text).toContain("$0.01");
  });

  test.each(PAYERS.map(({ network }) => network))(
    "pays on %s and has the data, a receipt and the history",
    async (network) => {
      const payer = await PAYERS.find((one) => one.network === network)?.newPayer(money.url);
      if (!payer) throw new Error("no payer");
      const asked = await challenge(`${version} ${network}`);
      const before = money.settlements();
      const done = await buyer.send({ task: asked.id, text: "Here it is.", metadata: await sign(asked, payer) });
      expect(done).toMatchObject({ id: asked.id, context_id: asked.context_id, state: "completed" });
      expect(done.data).toMatchObject({ product: "one", data: { n: expect.any(Number) } });
      expect(done.metadata["x402.payment.receipts"]).toMatchObject([{ success: true, network }]);
      expect(done.payments).toEqual([
        null,
        "payment-required",
        "payment-submitted",
        "payment-submitted",
        "payment-verified",
        "payment-completed",
      ]);
      expect(done.roles).toEqual(["user", "agent", "user", "agent", "agent", "agent"]);
      const { receipt_id } = done.about;
      const receipt = await (await fetch(`${money.url}/receipts/${receipt_id}`)).json();
      expect(receipt).toMatchObject({ product: "one", network });
      expect(await buyer.get(asked.id)).toEqual(done);
      expect(money.settlements()).toBe(before + 1);
    },
  );

  test("pays with the first message too", async () => {
    const metadata = await sign(await challenge("at once"), await newPayer());
    const done = await buyer.send({ skill: "one", params: { q: "at once" }, metadata });
    expect(done).toMatchObject({ state: "completed", data: { product: "one" } });
  });

  test("pays with version 1 of x402 too, and cannot spend that again in version 2", async () => {
    const payer = await newPayer();
    const headers = await payFor(`${money.url}/one?q=old+${version}`, payer, 1);
    const payload = JSON.parse(atob(headers["X-PAYMENT"] ?? ""));
    const done = await buyer.send({ skill: "one", params: { q: `old ${version}` }, metadata: submit(payload) });
    expect(done.metadata).toMatchObject({
      "x402.payment.status": "payment-completed",
      "x402.payment.receipts": [{ success: true, network: "base-sepolia" }],
    });
    const over_http = await fetch(`${money.url}/two`, { headers });
    expect(over_http.status).toBe(402);
  });

  test("finds a skill by the line of an example, absolute or not", async () => {
    const lines = [`GET ${money.url}/one?q=line`, "GET /one?q=line", 'POST /one {"q":"line"}'];
    for (const text of lines) expect((await buyer.send({ text })).state).toBe("input-required");
    const asked = await buyer.send({ text: lines[0] as string });
    const metadata = await sign(asked, await newPayer());
    const done = await buyer.send({ task: asked.id, metadata, text: "Paid." });
    const over_http = await fetch(`${money.url}/one?q=line`, { headers: asHeader(metadata) });
    expect(over_http.headers.get("x-idempotent-replay")).toBe("true");
    expect(JSON.parse(await over_http.text())).toEqual(done.data);
  });

  test("gets the same answer for the same payment, on the task and over HTTP, paid once", async () => {
    const { task, metadata } = await paid("again");
    const before = money.settlements();
    const again = await buyer.send({ task: task.id, text: "Once more.", metadata });
    expect(again.data).toEqual(task.data);
    const other = await buyer.send({ skill: "one", params: { q: "again" }, metadata });
    expect(other).toMatchObject({ state: "completed", about: { idempotent_replay: true } });
    expect(other.id).not.toBe(task.id);
    const over_http = await fetch(`${money.url}/one?q=again`, { headers: asHeader(metadata) });
    expect(await over_http.text()).toBe(JSON.stringify(task.data));
    expect(money.settlements()).toBe(before);
  });

  test("cannot buy anything else with what was spent, here or over HTTP", async () => {
    const { metadata } = await paid("spent");
    const before = money.settlements();
    for (const ask of [
      { skill: "one", params: { q: "other" } },
      { skill: "two", params: { q: "spent" } },
    ]) {
      const refused = await buyer.send({ ...ask, metadata });
      expect(refused).toMatchObject({ state: "input-required", data: null });
      expect(refused.metadata).toMatchObject({
        "x402.payment.status": "payment-failed",
        "x402.payment.error": "DUPLICATE_NONCE",
      });
    }
    const over_http = await fetch(`${money.url}/two?q=spent`, { headers: asHeader(metadata) });
    expect(over_http.status).toBe(402);
    expect(money.settlements()).toBe(before);
  });

  test("gets the stored answer for what it paid over HTTP, and nothing else for it", async () => {
    const metadata = await sign(await challenge("http first"), await newPayer());
    const over_http = await fetch(`${money.url}/one?q=http+first`, { headers: asHeader(metadata) });
    expect(over_http.status).toBe(200);
    const before = money.settlements();
    const same = await buyer.send({ skill: "one", params: { q: "http first" }, metadata });
    expect(JSON.stringify(same.data)).toBe(await over_http.text());
    expect((await buyer.send({ skill: "one", params: { q: "else" }, metadata })).data).toBeNull();
    expect(money.settlements()).toBe(before);
  });

  test("is told why a payment is refused, and can pay the same task with another", async () => {
    const asked = await challenge("wrong first");
    const payer = await newPayer();
    const good = await sign(asked, payer);
    const payload = structuredClone(good["x402.payment.payload"]) as { payload: { signature: string } };
    payload.payload.signature = payload.payload.signature.replace(/.{8}$/, "00000000");
    const refused = await buyer.send({ task: asked.id, text: "Here.", metadata: submit(payload) });
    expect(refused).toMatchObject({ state: "input-required", data: null });
    expect(refused.metadata).toMatchObject({
      "x402.payment.status": "payment-failed",
      "x402.payment.error": "INVALID_SIGNATURE",
      "x402.payment.receipts": [{ success: false, errorReason: "invalid_exact_evm_signature", network: payer.network }],
      "x402.payment.required": { x402Version: 2, diagnostic: { reason: "invalid_exact_evm_signature" } },
    });
    const { no_charge } = refused.metadata["x402.payment.required"] as { no_charge: string };
    const checked = await fetch(`${money.url}/verify-receipt`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ receipt: no_charge }),
    });
    expect(await checked.json()).toMatchObject({ valid: true, payload: { charged: false, path: "/a2a" } });
    const done = await buyer.send({ task: asked.id, text: "Here.", metadata: await sign(refused, payer) });
    expect(done.state).toBe("completed");
    expect(done.metadata["x402.payment.receipts"]).toMatchObject([{ success: false }, { success: true }]);
    expect(await buyer.get(asked.id)).toEqual(done);
  });

  test("cancels before it pays, and not afterwards", async () => {
    const asked = await challenge("cancel");
    expect(await buyer.cancel(asked.id)).toMatchObject({ state: "canceled" });
    expect(await buyer.get(asked.id)).toMatchObject({ state: "canceled" });
    expect(await codeOf(buyer.cancel(asked.id))).toBe(-32002);
    const before = money.settlements();
    const metadata = await sign(asked, await newPayer());
    expect(await codeOf(buyer.send({ task: asked.id, text: "Here.", metadata }))).toBe(-32004);
    expect(money.settlements()).toBe(before);
    const { task } = await paid("not canceled");
    expect(await codeOf(buyer.cancel(task.id))).toBe(-32002);
  });

  test("declines to pay, which ends the task", async () => {
    const asked = await challenge("declined");
    const metadata = { "x402.payment.status": "payment-rejected" };
    const ended = await buyer.send({ task: asked.id, text: "Too much.", metadata });
    expect(ended).toMatchObject({ state: "canceled", metadata: { "x402.payment.status": "payment-rejected" } });
  });

  test("takes a second payment for a task that is paid already for nothing: it is not charged", async () => {
    const { task } = await paid("twice");
    const before = money.settlements();
    const metadata = await sign(await challenge("twice"), await newPayer());
    expect(await codeOf(buyer.send({ task: task.id, text: "And again.", metadata }))).toBe(-32004);
    expect(money.settlements()).toBe(before);
  });

  test("asks for a task nobody has", async () => {
    expect(await codeOf(buyer.get("task_nobody"))).toBe(-32001);
    expect(await codeOf(buyer.cancel("task_nobody"))).toBe(-32001);
    expect(await codeOf(buyer.send({ task: "task_nobody", text: "Here." }))).toBe(-32001);
  });

  test("learns of wrong parameters before anything is charged", async () => {
    expect(await codeOf(buyer.send({ skill: "one", params: { q: { a: 5 } } }))).toBe(-32602);
    expect(await codeOf(buyer.send({ skill: "one", params: { Q: "a" } }))).toBe(-32602);
    expect(await codeOf(buyer.send({ skill: "none" }))).toBe(-32602);
  });

  test("a sentence gets the nearest skills, and buys one on the same task", async () => {
    const before = money.settlements();
    const asked = await buyer.send({ text: "Please sell me /one, with a word." });
    expect(asked).toMatchObject({ state: "input-required", payments: [null, null], data: null });
    expect(asked.text).toContain("- one: /one, $0.01; parameters: q");
    const again = await buyer.send({ task: asked.id, text: "Or sell me /two." });
    expect(again).toMatchObject({ id: asked.id, state: "input-required", payments: [null, null, null, null] });
    expect(again.text).toContain("- two: ");
    const priced = await buyer.send({ task: asked.id, skill: "one", params: { q: "sentence" } });
    expect(priced).toMatchObject({ id: asked.id, state: "input-required" });
    const metadata = await sign(priced, await newPayer());
    const done = await buyer.send({ task: asked.id, text: "Here it is.", metadata });
    expect(done).toMatchObject({ id: asked.id, state: "completed", data: { product: "one" } });
    expect(money.settlements()).toBe(before + 1);
  });

  test("a payment that comes with a sentence alone pays for nothing", async () => {
    const before = money.settlements();
    const metadata = await sign(await challenge("sentence"), await newPayer());
    expect(await codeOf(buyer.send({ text: "Please sell me /one.", metadata }))).toBe(-32602);
    const asked = await buyer.send({ text: "Please sell me /one." });
    expect(await codeOf(buyer.send({ task: asked.id, text: "Here it is.", metadata }))).toBe(-32602);
    expect(money.settlements()).toBe(before);
  });

  test("a task that names no skill can be canceled, and is over then", async () => {
    const asked = await buyer.send({ text: "xyzzy" });
    expect(asked.text).toContain("agent-card.json");
    expect(await buyer.cancel(asked.id)).toMatchObject({ state: "canceled" });
    expect(await codeOf(buyer.send({ task: asked.id, skill: "one" }))).toBe(-32004);
  });

  test("gets previews free, when there are some", async () => {
    const before = money.settlements();
    for (const ask of [{ skill: "one", params: { preview: true } }, { text: "GET /one?preview=1" }]) {
      const task = await buyer.send(ask);
      expect(["completed", "failed"]).toContain(task.state);
      if (task.state === "completed") expect(task.data).toMatchObject({ delayed: true });
      expect(task.payments.every((status) => status === null)).toBe(true);
    }
    expect(money.settlements()).toBe(before);
  });

  test("calls with a key pay straight away", async () => {
    const asked = await buyer.send({ skill: "buy_credits" });
    const bought = await buyer.send({ task: asked.id, text: "Here.", metadata: await sign(asked, await newPayer()) });
    const key = String(bought.data?.api_key);
    noteSecret(key);
    expect(key).toMatch(/^ink_/);
    const keyed = await start(money.url, { "X-API-Key": key });
    const before = money.settlements();
    const done = await keyed.send({ skill: "one", params: { q: "by key" } });
    expect(done).toMatchObject({ state: "completed", data: { product: "one" } });
    expect(done.about).toMatchObject({ credits_remaining: "1.24" });
    expect(done.payments).toEqual([null, null]);
    expect(money.settlements()).toBe(before);
  });

  test("a key that was bought is shown once, and not to who only knows the task", async () => {
    const asked = await buyer.send({ skill: "buy_credits" });
    const metadata = await sign(asked, await newPayer());
    const bought = await buyer.send({ task: asked.id, text: "Here.", metadata });
    const key = String(bought.data?.api_key);
    noteSecret(key);
    for (const task of [await buyer.get(asked.id), await buyer.send({ task: asked.id, text: "Again.", metadata })]) {
      expect(task.data?.api_key).toBe("withheld");
      expect(JSON.stringify(task)).not.toContain(key);
    }
    expect((await buyer.get(asked.id)).about.api_key).toContain("shown once");
  });

  test("a key that was bought with a name is shown again to who knows the name", async () => {
    const named = await start(money.url, { "Idempotency-Key": `a-name-only-the-buyer-knows-${version}` });
    const asked = await named.send({ skill: "buy_credits" });
    const metadata = await sign(asked, await newPayer());
    const bought = await named.send({ task: asked.id, text: "Here.", metadata });
    const key = String(bought.data?.api_key);
    noteSecret(key);
    const again = await named.send({ task: asked.id, text: "I lost it.", metadata });
    expect(again.data?.api_key).toBe(key);
    expect((await buyer.send({ task: asked.id, text: "Me too.", metadata })).data?.api_key).toBe("withheld");
  });
});
