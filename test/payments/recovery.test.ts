import { describe, expect, test } from "bun:test";
import { messageOf, NodeError } from "../../src/core/errors.ts";
import { createPaymentRoutes } from "../../src/http/payment-routes.ts";
import { createResponder } from "../../src/http/respond.ts";
import { addHeaders, createGateBench, namedHeader, signPayment, v1Header, v2Header } from "../helpers/gate-bench.ts";
import { refusalOf } from "../helpers/refusal.ts";

const ID = "order-0123456789abcdef";

/** The door as it is mounted. */
function createDoor(bench: ReturnType<typeof createGateBench>) {
  const responder = createResponder({ public_url: "http://localhost" });
  const [route] = createPaymentRoutes({
    responder,
    recovery: bench.access.recovery,
    recoverCall: async () => null,
    stamp: () => ({ node_id: "test" }),
  });
  if (!route) throw new Error("no route");
  const ask = async (id: string, headers = new Headers()) => {
    const request = new Request(`http://localhost/payments/${encodeURIComponent(id)}`, { headers });
    try {
      const from = { peer: "192.0.2.1", client: "192.0.2.1" };
      const no_part = {
        noCharge: async () => null,
        count: () => {},
        failed: () => new NodeError("internal_error", ""),
      };
      const exchange = { request, request_id: "req_1", search: "", ...from, ...no_part };
      const response = await route.handler(exchange);
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body };
    } catch (error) {
      const { status, code } = await refusalOf(Promise.reject(error));
      const body: Record<string, unknown> = { code, message: messageOf(error) };
      return { status, body };
    }
  };
  return { ask, route };
}

async function open() {
  const bench = createGateBench();
  const account = bench.newPayer();
  const payload = await signPayment({ account });
  const idOf = async () => (await bench.rowOf(payload))?.id ?? "";
  const keyOf = async () => (await bench.rowOf(payload))?.replay_key ?? "";
  return { bench, account, payload, idOf, keyOf, ...createDoor(bench) };
}

describe("the recovery door", () => {
  test("gives a settled payment's answer by its replay key, its own name and our id, in either version", async () => {
    const { bench, payload, ask, keyOf, idOf } = await open();
    const sold = await bench.buy(namedHeader(payload, ID));
    for (const id of [await keyOf(), await idOf(), ID]) {
      for (const headers of [namedHeader(payload, ID), v2Header(payload), v1Header(payload)]) {
        const { status, body } = await ask(id, headers);
        expect(status).toBe(200);
        expect(body).toMatchObject({
          state: "settled",
          product: "one",
          network: "eip155:84532",
          amount_atomic: "10000",
          transaction: "0xtx1",
          receipt_id: sold.headers["X-Receipt-Id"],
          answer: JSON.parse(sold.body),
        });
        expect(body.settled_at).toBeString();
      }
    }
    expect(bench.calls).toMatchObject({ verify: 1, settle: 1, produce: 1 });
  });

  test("tells a stranger the same of a payment that exists and of one that does not", async () => {
    const { bench, payload, ask, keyOf, idOf } = await open();
    await bench.buy(namedHeader(payload, ID));
    const nothing = await ask("pay_0000000000000000000000");
    expect(nothing.status).toBe(404);
    const others = [
      new Headers(),
      v2Header(await signPayment({ account: bench.newPayer() })),
      v2Header({ ...payload, signature: `0x${"11".repeat(65)}` }),
      new Headers({ "payment-signature": "not a payment" }),
      new Headers({ "x-api-key": `ink_${"0".repeat(43)}` }),
    ];
    for (const headers of others) {
      for (const id of [await keyOf(), await idOf(), ID, "%", "x".repeat(400)])
        expect((await ask(id, headers)).status).toBe(404);
      const known = await ask(await keyOf(), headers);
      expect(known.body.code).toBe(nothing.body.code);
      expect(known.body.message).toBe(nothing.body.message);
    }
  });

  test("asks the chain about an open payment, and hands over what it paid for", async () => {
    const { bench, payload, ask, keyOf } = await open();
    bench.script.settle = async () => ({ kind: "unknown", cause: "timeout" });
    await refusalOf(bench.buy(v2Header(payload)));
    const open_one = await ask(await keyOf(), v2Header(payload));
    expect(open_one.body).toMatchObject({ state: "unknown" });
    expect(open_one.body.answer).toBeUndefined();
    expect(bench.calls.chain).toBe(1);
    bench.script.chain = { paid: true };
    expect((await ask(await keyOf(), v2Header(payload))).body).toMatchObject({ state: "settled", answer: { n: 1 } });
    expect((await bench.rowOf(payload))?.delivered).toBe(true);
  });

  test("says when nothing was charged", async () => {
    const { bench, payload, ask, keyOf } = await open();
    bench.script.settle = async () => ({ kind: "refused", reason: "no", transaction: "" });
    await refusalOf(bench.buy(v2Header(payload)));
    const { body } = await ask(await keyOf(), v2Header(payload));
    expect(body).toMatchObject({ state: "never_charged" });
    expect(body.answer).toBeUndefined();
  });

  test("says that a payment is being worked on, by its own name too", async () => {
    const { bench, payload, ask, keyOf } = await open();
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    bench.script.produce = async () => {
      begun.resolve();
      await released.promise;
      return { body: "{}", as_of_ms: 0, expires_at_ms: 0 };
    };
    const sale = bench.buy(namedHeader(payload, ID));
    await begun.promise;
    for (const id of [await keyOf(), ID]) {
      expect((await ask(id, namedHeader(payload, ID))).body).toMatchObject({ state: "in_progress" });
    }
    released.resolve();
    await sale;
  });

  test("gives a bought key only with the word that only its buyer knows", async () => {
    const { bench, payload, ask, keyOf, idOf } = await open();
    const words = { "idempotency-key": "8e03978e-40d5-43e8-bc93-6894a57f9324" };
    const sold = await bench.buy(addHeaders(namedHeader(payload, ID), words), "/plan");
    const whole = JSON.parse(sold.body);
    const without = [v2Header(payload), namedHeader(payload, "watcher-0123456789abcdef")];
    for (const headers of without) {
      for (const id of [await keyOf(), await idOf()]) {
        const { body } = await ask(id, headers);
        expect(body.answer).toMatchObject({ key_id: whole.key_id, api_key: "withheld" });
      }
    }
    const proofs: [string, Headers][] = [
      [await keyOf(), addHeaders(v2Header(payload), words)],
      [await keyOf(), namedHeader(payload, ID)],
      [ID, v2Header(payload)],
    ];
    for (const [id, headers] of proofs) expect((await ask(id, headers)).body.answer).toEqual(whole);
  });

  test("opens a purchase to the key it made, and to no other key", async () => {
    const { bench, payload, ask, idOf } = await open();
    const sold = await bench.buy(v2Header(payload), "/plan");
    const other = await bench.buy(v2Header(await signPayment({ account: bench.newPayer() })), "/plan");
    const keyIn = ({ body }: { body: string }) => new Headers({ "x-api-key": JSON.parse(body).api_key });
    expect((await ask(await idOf(), keyIn(sold))).body).toMatchObject({ state: "settled", product: "plan" });
    expect((await ask(await idOf(), keyIn(other))).status).toBe(404);
  });

  test("keeps the content of its address out of the log", async () => {
    expect((await open()).route.handler.logged_as).toBe("/payments/:id");
  });
});
