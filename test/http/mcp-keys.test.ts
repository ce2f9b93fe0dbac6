import { describe, expect, test } from "bun:test";
import { until } from "../helpers/hang-limit.ts";
import { callTool, postRaw, rpc } from "../helpers/mcp.ts";
import { createToolsRig, dataOf } from "../helpers/tools-rig.ts";

/** Tools paid for by key and coupon, buyers who leave, and what is counted. */
const rig = createToolsRig();
const { get, made, pay, sign } = rig;

/** Buys a key over MCP and returns it. */
async function buyKey(): Promise<string> {
  const bought = await pay(await sign("buy_credits"), {}, "buy_credits");
  return String(bought.structuredContent?.api_key);
}

describe("by key and coupon", () => {
  test("a key bought here pays here and over HTTP, in X-API-Key or as a Bearer token; never shown again", async () => {
    const key = await buyKey();
    expect(key).toMatch(/^ink_/);
    const headers: Record<string, string>[] = [
      { "X-API-Key": key },
      { authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
    ];
    for (const [index, given] of headers.entries()) {
      const args = { q: `key ${index}` };
      const result = await callTool(rig.money.url, "one", { args, headers: given });
      expect(result.structuredContent?.product).toBe("one");
      expect(result._meta?.["intel-node/credits_remaining"]).toMatch(/^\d+\.\d+$/);
      expect(result._meta?.["intel-node/receipt_id"]).toMatch(/^call_/);
      expect(JSON.stringify(result)).not.toContain(key);
    }
    expect((await get("/one", { "X-API-Key": key })).status).toBe(200);
    expect(rig.money.settlements()).toBe(1);
  });

  test("a call its holder named is charged once, on both doors together", async () => {
    const key = await buyKey();
    const meta = { "x402/idempotency-key": "named call" };
    const headers = { "X-API-Key": key };
    const first = await callTool(rig.money.url, "one", { headers: { ...headers, "Idempotency-Key": "other" }, meta });
    const again = await callTool(rig.money.url, "one", { headers: { ...headers, "Idempotency-Key": "another" }, meta });
    const unequal = await get("/one", { ...headers, "Idempotency-Key": "other" });
    expect(again._meta?.["intel-node/idempotent_replay"]).toBe(true);
    expect(again._meta?.["intel-node/receipt_id"]).toBe(first._meta?.["intel-node/receipt_id"]);
    expect(unequal.headers.get("x-idempotent-replay")).toBeNull();
  });

  test("a wrong key is refused with the price; a gateway's own token does not stop a payment", async () => {
    for (const headers of [{ "X-API-Key": "ink_wrong" }, { authorization: "Bearer nonsense" }]) {
      const result = await callTool(rig.money.url, "one", { headers });
      expect(result.structuredContent).toMatchObject({ code: "invalid_api_key", x402Version: 2 });
      expect(JSON.stringify(result)).not.toContain("ink_wrong");
    }
    const meta = { "x402/payment": await sign() };
    const headers = { authorization: "Bearer eyJhbGciOiJub25lIn0.e30." };
    expect(dataOf(await callTool(rig.money.url, "one", { headers, meta }))?.n).toBe(rig.before + 1);
  });

  test("a coupon pays for one call, on any door", async () => {
    const { coupon } = (await (await fetch(`${rig.money.url}/welcome`)).json()) as { coupon: string };
    const headers = { "X-Coupon": coupon };
    expect(dataOf(await callTool(rig.money.url, "one", { headers }))?.n).toBe(rig.before + 1);
    const again = await callTool(rig.money.url, "one", { headers });
    expect(again.structuredContent).toMatchObject({ code: "invalid_coupon", diagnostic: { reason: "used" } });
    expect((await get("/one", headers)).status).toBe(402);
    expect(rig.money.settlements()).toBe(0);
  });

  test("a wrong coupon is refused with the price", async () => {
    const headers = { "X-Coupon": "inc_wrong" };
    const result = await callTool(rig.money.url, "one", { headers });
    expect(result.structuredContent).toMatchObject({ code: "invalid_coupon", x402Version: 2 });
  });
});

describe("a buyer who leaves", () => {
  test("or cancels while it is settled changes nothing: the answer waits for the payment to come again", async () => {
    const payment = await sign();
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    rig.money.facilitator.script.settle = async (forward) => {
      reached.resolve();
      await released.promise;
      return forward();
    };
    const leave = new AbortController();
    const params = { name: "one", arguments: {}, _meta: { "x402/payment": payment } };
    const left = fetch(`${rig.money.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params }),
      signal: leave.signal,
    }).catch(() => null);
    await reached.promise;
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}';
    expect((await postRaw(rig.money.url, cancel)).status).toBe(202);
    leave.abort();
    await left;
    released.resolve();
    await until(() => rig.money.settlements() === 1, "it was settled");
    const result = await pay(payment);
    expect(dataOf(result)?.n).toBe(rig.before + 1);
    expect({ settled: rig.money.settlements(), made: made() }).toEqual({ settled: 1, made: 1 });
  });
});

describe("rate limits", () => {
  const PER_MINUTE = 120;
  const ping = () => rpc(rig.money.url, "ping");

  test("count free and unpaid calls, and never those that are paid", async () => {
    rig.money.node.setLimits(true);
    const payment = await sign();
    let answer = await ping();
    for (let sent = 0; answer.status === 200 && sent < PER_MINUTE * 2; sent += 1) answer = await ping();
    expect({ status: answer.status, code: answer.body?.error?.data?.code }).toEqual({
      status: 429,
      code: "rate_limited",
    });
    expect((await rpc(rig.money.url, "tools/call", { name: "one", arguments: {} })).status).toBe(429);
    expect(dataOf(await pay(payment))?.n).toBe(rig.before + 1);
  });

  test("count payments that are refused, by address", async () => {
    rig.money.node.setLimits(true);
    const params = { name: "one", arguments: {}, _meta: { "x402/payment": {} } };
    let answer = await rpc(rig.money.url, "tools/call", params);
    let sent = 0;
    for (; answer.status === 200 && sent < PER_MINUTE * 2; sent += 1) {
      answer = await rpc(rig.money.url, "tools/call", params);
    }
    expect(answer.status).toBe(429);
    expect(sent).toBeGreaterThanOrEqual(PER_MINUTE - 5);
  });
});
