import { describe, expect, test } from "bun:test";
import { NodeError } from "../../src/core/errors.ts";
import { codeOf, sign } from "../helpers/a2a-buyers.ts";
import { noteSecret } from "../helpers/secrets.ts";
import { createTasksRig } from "../helpers/tasks-rig.ts";

/** Tasks when something goes wrong on the way: the money never does. */
const rig = createTasksRig();
const { challenge, network, newPayer, pay, startBuyer } = rig;

/** Holds whatever passes it until it is opened. */
function createGate() {
  let open: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    open,
    arrived,
    pass: async () => {
      arrive();
      await opened;
    },
  };
}

describe("while nobody knows whether a settlement went through", () => {
  const lose = () => {
    rig.money.facilitator.script.settle = async (forward) => {
      await forward();
      return new Response("{{{");
    };
  };

  test("the task says so, shows no new price, and the same payment brings the answer, paid once", async () => {
    const asked = await challenge();
    const metadata = await sign(asked, await newPayer());
    lose();
    const unknown = await pay(asked, metadata);
    expect(unknown).toMatchObject({ state: "input-required", data: null });
    expect(unknown.metadata).toEqual({
      "x402.payment.status": "payment-submitted",
      "x402.payment.error": "SETTLEMENT_UNKNOWN",
    });
    expect(await rig.buyer.get(asked.id)).toEqual(unknown);
    rig.money.clock.advance(60_000);
    await rig.money.node.checkSettlements();
    const done = await pay(asked, metadata);
    expect(done).toMatchObject({ state: "completed", data: { product: "one" } });
    expect(rig.money.settlements()).toBe(1);
  });

  test("no other payment is taken, no other request, and the task cannot be canceled", async () => {
    const asked = await challenge();
    lose();
    const metadata = await sign(asked, await newPayer());
    await pay(asked, metadata);
    const other = await sign(asked, await newPayer());
    expect(await codeOf(pay(asked, other))).toBe(-32004);
    expect(await codeOf(rig.buyer.send({ task: asked.id, text: "And?" }))).toBe(-32004);
    const changed = { task: asked.id, skill: "two", metadata };
    expect(await codeOf(rig.buyer.send(changed))).toBe(-32004);
    expect(await codeOf(rig.buyer.send({ task: asked.id, skill: "two" }))).toBe(-32004);
    expect(await codeOf(rig.buyer.cancel(asked.id))).toBe(-32002);
    expect(rig.money.settlements()).toBe(1);
    const same = await rig.buyer.send({ task: asked.id, skill: "one", params: { q: "a" }, metadata });
    expect(same.metadata["x402.payment.status"]).not.toBe("payment-required");
  });

  test("a settlement that never happened frees the task for another payment", async () => {
    const asked = await challenge();
    const metadata = await sign(asked, await newPayer());
    rig.money.facilitator.script.settle = () =>
      Response.json({ success: false, errorReason: "refused", transaction: "" });
    const failed = await pay(asked, metadata);
    expect(failed.metadata).toMatchObject({
      "x402.payment.status": "payment-failed",
      "x402.payment.error": "SETTLEMENT_FAILED",
      "x402.payment.receipts": [{ success: false, network: network, payer: expect.any(String) }],
    });
    rig.money.facilitator.script.settle = (forward) => forward();
    const done = await pay(asked, await sign(failed, await newPayer()));
    expect(done.metadata["x402.payment.receipts"]).toMatchObject([{ success: false }, { success: true }]);
    expect(rig.money.settlements()).toBe(1);
  });
});

describe("while a task is worked on", () => {
  test("it can be canceled until its payment is settled, and nothing is charged", async () => {
    const asked = await challenge();
    const metadata = await sign(asked, await newPayer());
    const gate = createGate();
    rig.money.work.produce = gate.pass;
    const paying = pay(asked, metadata);
    await gate.arrived;
    const shown = await rig.buyer.get(asked.id);
    expect(shown).toMatchObject({ state: "working", metadata: { "x402.payment.status": "payment-verified" } });
    await rig.buyer.cancel(asked.id);
    expect(await paying).toMatchObject({ state: "canceled", data: null });
    gate.open();
    expect(await rig.buyer.get(asked.id)).toMatchObject({ state: "canceled", data: null });
    expect(rig.money.facilitator.calls.settle).toBe(0);
    expect(rig.money.settlements()).toBe(0);
    const later = await pay(await challenge(), metadata);
    expect(later.state).toBe("completed");
  });

  test("once its payment is being settled it says so, and cannot be canceled", async () => {
    const asked = await challenge();
    const gate = createGate();
    rig.money.facilitator.script.settle = async (forward) => {
      await gate.pass();
      return forward();
    };
    const paying = pay(asked, await sign(asked, await newPayer()));
    await gate.arrived;
    const shown = await rig.buyer.get(asked.id);
    expect(shown).toMatchObject({ state: "working", metadata: { "x402.payment.status": "payment-submitted" } });
    expect(await codeOf(rig.buyer.cancel(asked.id))).toBe(-32002);
    gate.open();
    expect(await paying).toMatchObject({ state: "completed", data: { product: "one" } });
    expect(rig.money.settlements()).toBe(1);
  });

  test("the same payment joins, and another is not taken", async () => {
    const asked = await challenge();
    const metadata = await sign(asked, await newPayer());
    const other = await sign(asked, await newPayer());
    const gate = createGate();
    const before = rig.money.work.produced;
    rig.money.work.produce = gate.pass;
    const first = pay(asked, metadata);
    await gate.arrived;
    expect(await rig.buyer.get(asked.id)).toMatchObject({ state: "working", data: null });
    expect(await codeOf(pay(asked, other))).toBe(-32004);
    const second = pay(asked, metadata);
    gate.open();
    expect(await second).toEqual(await first);
    expect(rig.money.settlements()).toBe(1);
    expect(rig.money.work.produced).toBe(before + 1);
  });

  test("twenty tasks with one payment settle it once and all have the answer", async () => {
    const metadata = await sign(await challenge(), await newPayer());
    const tasks = await Promise.all(
      Array.from({ length: 20 }, () => rig.buyer.send({ skill: "one", params: { q: "a" }, metadata })),
    );
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(20);
    expect(new Set(tasks.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(rig.money.settlements()).toBe(1);
  });

  test("a wallet that signs anew for a lost answer is not charged twice", async () => {
    const payer = await newPayer();
    const asked = await challenge();
    const first = await pay(asked, await sign(asked, payer));
    const again = await challenge();
    const second = await pay(again, await sign(again, payer));
    expect(second).toMatchObject({ state: "completed", about: { duplicate_payment_avoided: true } });
    expect(second.data).toEqual(first.data);
    expect(rig.money.settlements()).toBe(1);
  });

  test("a buyer who hangs up finds the answer in the task", async () => {
    const asked = await challenge();
    const metadata = await sign(asked, await newPayer());
    const gate = createGate();
    rig.money.work.produce = gate.pass;
    const leaving = new AbortController();
    const params = {
      message: { messageId: "m", taskId: asked.id, role: "ROLE_USER", parts: [{ text: "Here." }], metadata },
    };
    const gone = fetch(`${rig.money.url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params }),
      signal: leaving.signal,
    }).catch(() => null);
    await gate.arrived;
    leaving.abort();
    gate.open();
    await gone;
    while ((await rig.buyer.get(asked.id)).state === "working") await Bun.sleep(5);
    expect(await rig.buyer.get(asked.id)).toMatchObject({ state: "completed", data: { product: "one" } });
    expect(rig.money.settlements()).toBe(1);
  });
});

describe("without data", () => {
  const fail = () => {
    rig.money.work.produce = async () => {
      throw new NodeError("upstream_unavailable", "No source answers. Nothing was charged.", { retry_after_s: 7 });
    };
  };
  const heal = () => {
    rig.money.work.produce = async () => undefined;
  };

  test("nothing is charged, and the same payment or another one buys it later", async () => {
    for (const signs_anew of [false, true]) {
      const asked = await rig.buyer.send({ skill: "one", params: { q: `anew ${signs_anew}` } });
      const metadata = await sign(asked, await newPayer());
      fail();
      const failed = await pay(asked, metadata);
      expect(failed).toMatchObject({ state: "input-required", data: null });
      expect(failed.metadata["x402.payment.error"]).toBe("UPSTREAM_UNAVAILABLE");
      expect(rig.money.settlements()).toBe(signs_anew ? 1 : 0);
      heal();
      const done = await pay(asked, signs_anew ? await sign(asked, await newPayer()) : metadata);
      expect(done.state).toBe("completed");
    }
    expect(rig.money.settlements()).toBe(2);
  });

  test("a call by key is not debited; the task fails, and a new one succeeds", async () => {
    const asked = await rig.buyer.send({ skill: "buy_credits" });
    const bought = await pay(asked, await sign(asked, await newPayer()));
    const key = String(bought.data?.api_key);
    noteSecret(key);
    const keyed = await startBuyer({ "X-API-Key": key });
    fail();
    const failed = await keyed.send({ skill: "one" });
    expect(failed).toMatchObject({ state: "failed", data: null });
    expect(await codeOf(keyed.send({ task: failed.id, text: "Now?" }))).toBe(-32004);
    heal();
    const done = await keyed.send({ skill: "one" });
    expect(done.about).toMatchObject({ credits_remaining: "1.24" });
  });
});

describe("what is kept", () => {
  test("the file of tasks never contains payments or keys", async () => {
    const asked = await rig.buyer.send({ skill: "buy_credits" });
    const metadata = await sign(asked, await newPayer());
    const bought = await pay(asked, metadata);
    const key = String(bought.data?.api_key);
    noteSecret(key);
    const seen = JSON.stringify(await rig.buyer.get(asked.id));
    const { payload } = metadata["x402.payment.payload"] as { payload: { signature: string } };
    expect(seen).not.toContain(payload.signature);
    expect(seen).not.toContain(key);
  });

  test("a task with twenty refused payments is over", async () => {
    const asked = await challenge();
    let task = asked;
    rig.money.facilitator.script.verify = () => Response.json({ isValid: false, invalidReason: "insufficient_funds" });
    for (let n = 0; n < 20; n++) task = await pay(asked, await sign(asked, await newPayer()));
    expect(task.state).toBe("failed");
    expect(task.metadata["x402.payment.error"]).toBe("INSUFFICIENT_FUNDS");
    expect(task.payments.length).toBeLessThanOrEqual(41);
    expect(await codeOf(pay(asked, await sign(asked, await newPayer())))).toBe(-32004);
    expect(rig.money.settlements()).toBe(0);
  });
});
