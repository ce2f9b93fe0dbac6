import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newPayer } from "../helpers/demo-node.ts";
import { startMoneyNode } from "../helpers/money-node.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";
import { STILL_TIMERS } from "../helpers/still-clock.ts";

/** Free and unpaid requests are limited by address; what is paid for is limited by its price. */
const PER_MINUTE = 120;
const REFILL_MS = 60_000 / PER_MINUTE;

interface LimitedNode extends Pick<ProductNode, "control" | "stop" | "clock"> {
  readonly limit: (enabled: boolean) => void;
  get(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Response>;
}

const nodes: LimitedNode[] = [];

/** Its time stands, so that no bucket refills while a test empties it, however long that takes. */
async function startLimitedNode(): Promise<LimitedNode> {
  const { url, node: running, clock, control, stop } = await startProductNode({ seed_history: false });
  const node: LimitedNode = {
    clock,
    control,
    stop,
    limit: running.setLimits,
    get: (path, headers = {}, method = "GET") => fetch(`${url}${path}`, { headers, method }),
  };
  nodes.push(node);
  return node;
}

let node: LimitedNode;
let header = "";

const countSettleCalls = async () => Number((await node.control("/facilitator")).settle_calls);

beforeAll(async () => {
  node = await startLimitedNode();
  header = await createPaymentPayload(await node.get("/fear-greed"), newPayer());
});
afterAll(() => Promise.all(nodes.map((one) => one.stop())));

test("a loopback caller is not limited before limits are switched on", async () => {
  for (let sent = 0; sent < PER_MINUTE + 30; sent += 1) {
    const response = await node.get("/get-pricing");
    expect(response.status).toBe(200);
    expect(response.headers.get("ratelimit")).toBeNull();
  }
});

describe("once limits are on", () => {
  test("the headers count down to 429 with Retry-After, after exactly 120 requests", async () => {
    const before = await countSettleCalls();
    node.limit(true);
    for (let left = PER_MINUTE - 1; left >= 0; left -= 1) {
      const passed = await node.get("/get-pricing");
      expect(passed.status).toBe(200);
      expect(passed.headers.get("ratelimit-policy")).toBe(`"free";q=${PER_MINUTE};w=60`);
      expect(passed.headers.get("ratelimit")).toBe(`"free";r=${left};t=1`);
      await passed.body?.cancel();
    }
    const response = await node.get("/get-pricing");
    expect(response.status).toBe(429);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toMatchObject({ code: "rate_limited", charged: false, retryable: true });
    const own = { "PAYMENT-SIGNATURE": header, "Idempotency-Key": "8e03978e-40d5-43e8" };
    const paid = await node.get("/fear-greed", own);
    expect(paid.status).toBe(200);
    const replays = await Promise.all(Array.from({ length: PER_MINUTE + 30 }, () => node.get("/fear-greed", own)));
    expect(new Set(replays.map(({ status }) => status))).toEqual(new Set([200]));
    // On the payment alone, which anybody can read from the chain, it is a free call, and these are used up.
    expect((await node.get("/fear-greed", { "PAYMENT-SIGNATURE": header })).status).toBe(429);
    expect(await countSettleCalls()).toBe(before + 1);
  });

  test("one more passes for each half second that goes by", async () => {
    node.clock.advance(REFILL_MS - 1);
    expect((await node.get("/get-pricing")).status).toBe(429);
    node.clock.advance(1);
    expect((await node.get("/get-pricing")).status).toBe(200);
    expect((await node.get("/get-pricing")).status).toBe(429);
  });

  test("they end when they are switched off", async () => {
    node.limit(false);
    for (let sent = 0; sent < PER_MINUTE + 30; sent += 1) expect((await node.get("/get-pricing")).status).toBe(200);
  });
});

test("refused payments are limited too, and the control door is not", async () => {
  const other = await startLimitedNode();
  other.limit(true);
  const send = () => other.get("/fear-greed", { "PAYMENT-SIGNATURE": "junk" });
  for (let refused = 0; refused < PER_MINUTE; refused += 1) expect((await send()).status).toBe(402);
  expect((await send()).status).toBe(429);
  for (let asked = 0; asked < PER_MINUTE + 30; asked += 1) {
    expect((await other.get("/__sandbox/facilitator")).status).toBe(200);
  }
});

test("what is free is counted, whatever is sent along to pay with", async () => {
  const other = await startLimitedNode();
  other.limit(true);
  const junk = { "X-API-Key": "ink_junk" };
  for (const path of ["/fear-greed?preview=1", "/fear-greed?p%72eview=1"]) {
    expect((await other.get(path, junk)).headers.get("ratelimit")).toMatch(/^"free";/);
  }
  const head = await other.get("/fear-greed", junk, "HEAD");
  expect(head.headers.get("ratelimit")).toMatch(/^"free";/);
});

test("a node that stops answers the refusals it holds back", async () => {
  // No length of time ever passes here: only the stop ends what waits.
  const money = await startMoneyNode("", undefined, { limits: "free_per_minute = 1", timers: STILL_TIMERS });
  money.node.setLimits(true);
  const ask = async (): Promise<number> => (await fetch(`${money.url}/get-pricing`)).status;
  expect(await ask()).toBe(200);
  for (let told = 0; told < 120; told += 1) expect(await ask()).toBe(429);
  let is_over = false;
  const held = ask().finally(() => {
    is_over = true;
  });
  expect(await fetch(`${money.url}/healthz`).then(({ status }) => status)).toBe(200);
  expect(is_over).toBe(false);
  await money.stop();
  expect(await held).toBe(429);
});
