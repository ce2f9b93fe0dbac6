import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cleanUp, type DemoNode, signFor, startDemo } from "../helpers/demo-node.ts";

/** Free and unpaid requests are limited by address; what is paid for is limited by its price. */
const PER_MINUTE = 120;
/** The bucket refills while it is emptied, so a few more than the limit pass. */
const TRIES_MAX = PER_MINUTE * 3;

let node: DemoNode;
let header = "";

const countSettleCalls = async () => Number((await node.control("/facilitator")).settle_calls);

beforeAll(async () => {
  node = await startDemo();
  header = await signFor(node, "/fear-greed");
});
afterAll(cleanUp);

test("a loopback caller is not limited before limits are switched on", async () => {
  for (let sent = 0; sent < PER_MINUTE + 30; sent += 1) {
    const response = await node.get("/healthz");
    expect(response.status).toBe(200);
    expect(response.headers.get("ratelimit")).toBeNull();
  }
});

describe("once limits are on", () => {
  test("the headers count down to 429 with Retry-After, after at least 120 requests", async () => {
    const before = await countSettleCalls();
    await node.control("/limits", { enabled: true });
    let left = PER_MINUTE;
    let passed = 0;
    let response = await node.get("/get-pricing");
    while (response.status === 200 && passed < TRIES_MAX) {
      passed += 1;
      expect(response.headers.get("ratelimit-policy")).toBe(`"free";q=${PER_MINUTE};w=60`);
      const now_left = Number(
        /^"free";r=(\d+);t=\d+$/.exec(response.headers.get("ratelimit") ?? "")?.[1] ?? Number.NaN,
      );
      expect(now_left).toBeGreaterThanOrEqual(0);
      // One more may have come back since the last request.
      expect(now_left).toBeLessThanOrEqual(left + 1);
      left = now_left;
      await response.body?.cancel();
      response = await node.get("/get-pricing");
    }
    expect(response.status).toBe(429);
    expect(passed).toBeGreaterThanOrEqual(PER_MINUTE - 5);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await response.json()).toMatchObject({ code: "rate_limited", charged: false, retryable: true });
    const own = { "PAYMENT-SIGNATURE": header, "Idempotency-Key": "8e03978e-40d5-43e8" };
    const paid = await node.get("/fear-greed", own);
    expect(paid.status).toBe(200);
    const replays = await Promise.all(Array.from({ length: PER_MINUTE + 30 }, () => node.get("/fear-greed", own)));
    expect(new Set(replays.map(({ status }) => status))).toEqual(new Set([200]));
    // On the payment alone, which anybody can read from the chain, it is a free call, and these are used up.
    expect((await node.get("/fear-greed", { "PAYMENT-SIGNATURE": header })).status).toBe(429);
    // Asked by a caller who is not limited: the counters are read when the limit is off again.
    const off = await fetch(`${node.url}/__sandbox/limits`, {
      method: "POST",
      headers: { "X-PAYMENT": "none" },
      body: JSON.stringify({ enabled: false }),
    });
    expect(off.status).toBe(200);
    expect(await countSettleCalls()).toBe(before + 1);
  });

  test("they end when they are switched off", async () => {
    for (let sent = 0; sent < PER_MINUTE + 30; sent += 1) expect((await node.get("/healthz")).status).toBe(200);
  });
});

test("refused payments are limited too, and the control door is not", async () => {
  const other = await startDemo();
  await other.control("/limits", { enabled: true });
  const send = () => other.get("/fear-greed", { "PAYMENT-SIGNATURE": "junk" });
  let refused = 0;
  let response = await send();
  while (response.status === 402 && refused < TRIES_MAX) {
    refused += 1;
    await response.body?.cancel();
    response = await send();
  }
  expect(response.status).toBe(429);
  expect(refused).toBeGreaterThanOrEqual(PER_MINUTE - 5);
  for (let asked = 0; asked < PER_MINUTE + 30; asked += 1) await other.control("/facilitator");
});

test("what is free is counted, whatever is sent along to pay with", async () => {
  const other = await startDemo();
  await other.control("/limits", { enabled: true });
  const junk = { "X-API-Key": "ink_junk" };
  for (const path of ["/fear-greed?preview=1", "/fear-greed?p%72eview=1"]) {
    expect((await other.get(path, junk)).headers.get("ratelimit")).toMatch(/^"free";/);
  }
  const head = await fetch(`${other.url}/fear-greed`, { method: "HEAD", headers: junk });
  expect(head.headers.get("ratelimit")).toMatch(/^"free";/);
});
