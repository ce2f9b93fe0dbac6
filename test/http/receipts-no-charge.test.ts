import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readPayment } from "../../src/payments/gate/read-payment.ts";
import { isSignedBy, readJWS } from "../../src/trust/jws.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, type Payer, payFor } from "../helpers/payers.ts";

type Answer = Record<string, unknown>;
let money: MoneyNode;
let payer: Payer;
beforeAll(async () => {
  money = await startMoneyNode();
  const [first] = PAYERS;
  if (!first) throw new Error("nobody pays");
  payer = await first.newPayer(money.url);
});
afterEach(() => {
  money.facilitator.script.verify = (forward) => forward();
  money.facilitator.script.settle = (forward) => forward();
  money.work.produce = async () => undefined;
});
afterAll(() => money.stop());

let count = 0;
/** A new request each time, so that no earlier payment answers it. */
const newPath = (): string => {
  count += 1;
  return `/one?q=${count}`;
};
const sign = (protocol: 1 | 2 = 2) => payFor(`${money.url}/one`, payer, protocol);
const send = async (path: string, headers: Record<string, string>, method = "GET") => {
  const response = await fetch(`${money.url}${path}`, { method, headers });
  const text = await response.text();
  const body = (text === "" ? {} : JSON.parse(text)) as Answer;
  return { response, status: response.status, body, stated: await read(body.no_charge) };
};
async function read(no_charge: unknown): Promise<Answer | null> {
  if (no_charge === undefined) return null;
  expect(await isSignedBy(String(no_charge), money.node.identity.public_key)).toBe(true);
  return { ...readJWS(String(no_charge))?.payload };
}
const verify = async (receipt: unknown): Promise<Answer> => {
  const init = { method: "POST", headers: { "content-type": "application/json" } };
  const response = await fetch(`${money.url}/verify-receipt`, { ...init, body: JSON.stringify({ receipt }) });
  return (await response.json()) as Answer;
};
const named = (headers: Record<string, string>): Answer => {
  const { signed, network } = readPayment(new Headers(headers), money.clock.now());
  return { replay_key: signed.replay_key, payer: signed.payer, network: network.id };
};
/** Statements name the payment, or say nothing of any. */
const expectUnnamed = (stated: Answer | null) => {
  expect(stated).toMatchObject({ charged: false });
  for (const name of ["replay_key", "payer", "network"]) expect(Object.keys(stated ?? {})).not.toContain(name);
};

describe("a call that was not charged says so, signed, and names its payment", () => {
  const refuse = () => Response.json({ isValid: false, invalidReason: "invalid_exact_evm_payload_signature" });
  const fails: Record<string, { set: () => void; status: number; code: string }> = {
    "the facilitator finds it invalid": {
      set: () => {
        money.facilitator.script.verify = refuse;
      },
      status: 402,
      code: "invalid_payment",
    },
    "the facilitator refuses to settle": {
      set: () => {
        money.facilitator.script.settle = () =>
          Response.json({ success: false, errorReason: "invalid_transaction_state", transaction: "" });
      },
      status: 402,
      code: "settlement_failed",
    },
    "there is no data": {
      set: () => {
        money.work.produce = () => Promise.reject(new Error("broken"));
      },
      status: 503,
      code: "product_failed",
    },
  };
  for (const [what, { set, status, code }] of Object.entries(fails)) {
    test.each([1, 2] as const)(`${what}, version %d`, async (protocol) => {
      set();
      const headers = await sign(protocol);
      const { response, body, stated, ...got } = await send(newPath(), headers);
      expect(got.status).toBe(status);
      expect(stated).toMatchObject({
        version: 1,
        node_id: money.node.identity.node_id,
        request_id: response.headers.get("X-Request-Id"),
        code,
        charged: false,
        path: "/one",
        ...named(headers),
      });
      expect(Math.abs(Date.parse(String(stated?.at)) - money.clock.now())).toBeLessThan(60_000);
      expect(await verify(body.no_charge)).toMatchObject({
        valid: true,
        kind: "no_charge",
        on_ledger: { charged_since: false },
      });
    });
  }

  test("it never contains the query, and the header of the 402 does not grow by it", async () => {
    money.facilitator.script.verify = refuse;
    const { response, stated } = await send("/one?q=secret-word", await sign());
    expect(JSON.stringify(stated)).not.toContain("secret-word");
    expect(atob(response.headers.get("PAYMENT-REQUIRED") ?? "")).not.toContain("no_charge");
  });

  test.each([
    ["a wrong parameter", "/one?q=1&q=2", "GET", 422],
    ["a path that is not there", "/nothing", "GET", 404],
    ["a method it does not take", "/two", "DELETE", 405],
  ])("%s", async (_, path, method, status) => {
    const headers = await sign();
    const got = await send(path, headers, method);
    expect(got.status).toBe(status);
    expect(got.stated).toMatchObject({ path: path.split("?")[0], ...named(headers) });
  });

  test("the whole failed answer can be handed in as it is", async () => {
    const { body } = await send("/nothing", await sign());
    const init = { method: "POST", headers: { "content-type": "application/json" } };
    const told = await fetch(`${money.url}/verify-receipt`, { ...init, body: JSON.stringify(body) });
    expect(await told.json()).toMatchObject({ valid: true, kind: "no_charge" });
  });

  test("a payment that succeeds later does not make it false: it speaks of its own call and time", async () => {
    const headers = await sign();
    const path = newPath();
    money.work.produce = () => Promise.reject(new Error("broken"));
    const { body } = await send(path, headers);
    money.work.produce = async () => undefined;
    expect((await send(path, headers)).status).toBe(200);
    expect(await verify(body.no_charge)).toMatchObject({ valid: true, on_ledger: { charged_since: true } });
  });
});

describe("no payment is named that was charged, or may be", () => {
  test("a settled one that is sent to another path", async () => {
    const headers = await sign();
    expect((await send(newPath(), headers)).status).toBe(200);
    const { body, stated } = await send(newPath(), headers);
    expect(body).toMatchObject({ code: "payment_already_used", charged: false });
    expectUnnamed(stated);
    expectUnnamed((await send("/nothing", headers)).stated);
  });

  test("an open one: its own call states nothing, other calls do not name it", async () => {
    const headers = await sign();
    const path = newPath();
    money.facilitator.script.settle = () => new Response("{{{");
    const open = await send(path, headers);
    expect(open.body).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
    expect(open.stated).toBeNull();
    const again = await send(path, headers);
    expect([again.body.code, again.stated]).toEqual(["settlement_unknown", null]);
    expectUnnamed((await send("/nothing", headers)).stated);
  });

  test("one that cannot be read", async () => {
    const { body, stated } = await send("/one", { "PAYMENT-SIGNATURE": "AAAA" });
    expect(body).toMatchObject({ code: "invalid_payment" });
    expectUnnamed(stated);
  });
});

describe("keys and coupons", () => {
  test("a key is named by its public id, an unknown one not at all", async () => {
    const { body } = await send("/buy-credits", await payFor(`${money.url}/buy-credits`, payer, 2));
    const { api_key, key_id } = body;
    money.work.produce = () => Promise.reject(new Error("broken"));
    const failed = await send(newPath(), { "X-API-Key": String(api_key) });
    expect(failed.status).toBe(503);
    expect(failed.stated).toMatchObject({ code: "product_failed", charged: false, key_id });
    expect(JSON.stringify(failed.body)).not.toContain(String(api_key));
    for (const key of ["nonsense", `ink_${"A".repeat(43)}`]) {
      const { status, stated } = await send(newPath(), { "X-API-Key": key });
      expect([status, stated?.code, stated?.key_id]).toEqual([402, "invalid_api_key", undefined]);
    }
  });

  test("a refused coupon", async () => {
    const { status, stated } = await send(newPath(), { "X-Coupon": "nonsense" });
    expect([status, stated?.code, stated?.charged]).toEqual([402, "invalid_coupon", false]);
  });
});

test("nothing is stated where nothing was sent to pay with, where it was charged, or without a body", async () => {
  expect((await send("/one", {})).body).toMatchObject({ code: "payment_required" });
  for (const [path, headers] of [
    ["/one", {}],
    ["/nothing", {}],
    [newPath(), await sign()],
  ] as const) {
    expect((await send(path, headers)).body.no_charge).toBeUndefined();
  }
  expect((await send("/nothing", await sign(), "HEAD")).status).toBe(404);
});
