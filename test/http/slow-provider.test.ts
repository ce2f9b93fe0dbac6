import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import type { Timers } from "../../src/core/clock.ts";
import { NETWORKS } from "../../src/payments/networks/table.ts";
import { createManualTimers } from "../helpers/manual-timers.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";
import { createTurnTimers } from "../helpers/turn-timers.ts";

// A provider on loopback that takes a call and says nothing, to products that use all the time a network's payments
// leave them. That time passes when the test says so.
const caps = createManualTimers();
const turns = createTurnTimers();
const CAPS_MS: ReadonlySet<number> = new Set(NETWORKS.map(({ produce_ms_max }) => produce_ms_max));
const timers: Timers = {
  elapsed_ms: turns.elapsed_ms,
  after: (ms, fire) => (CAPS_MS.has(ms) ? caps : turns).after(ms, fire),
};
// The node makes previews when it starts.
let is_silent = false;
const provider = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch: () => (is_silent ? new Promise<Response>(() => undefined) : Response.json({ n: 7 })),
});

const CASES = PAYERS.map((payer) => ({
  ...payer,
  cap_ms: NETWORKS.find(({ id }) => id === payer.network)?.produce_ms_max ?? Number.NaN,
  path: `/at-the-cap-of-${payer.network.split(":")[0]}` as const,
}));
const products = CASES.map(({ path, cap_ms }) =>
  defineProduct({
    path,
    title: path,
    description: "What a provider says.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ n: Type.Number() }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [],
    requires: [],
    ttl: "0s",
    deadline_ms: cap_ms,
    preview: { every: "24h" },
    fetch: async ({ signal }) => (await fetch(provider.url, { signal })).json() as Promise<{ n: number }>,
    compute: ({ n }, { now_ms }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] }),
  }),
);

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode("", undefined, { products, timers });
});
beforeEach(() => {
  is_silent = true;
});
afterAll(async () => {
  await money.stop();
  await provider.stop(true);
});

test.each(CASES)("a provider that is silent up to the cap of $network costs its buyer nothing", async (one) => {
  const { path, cap_ms, newPayer } = one;
  const url = `${money.url}${path}`;
  const before = money.settlements();
  const headers = await payFor(url, await newPayer(money.url), 2);
  const called = fetch(url, { headers });
  await caps.expire(cap_ms);
  const late = await called;
  expect([late.status, await late.json()]).toMatchObject([504, { code: "deadline_exceeded", charged: false }]);
  expect([money.settlements(), money.facilitator.calls.settle]).toEqual([before, before]);
  // Nothing half-sold is left: the very same payment buys the answer once the provider speaks.
  is_silent = false;
  const sold = await fetch(url, { headers });
  expect([sold.status, await sold.json()]).toMatchObject([200, { data: { n: 7 } }]);
  expect(money.settlements()).toBe(before + 1);
});

test("a network whose payments die sooner does not offer what takes longer", async () => {
  for (const { path, cap_ms } of CASES) {
    const { accepts } = (await (await fetch(`${money.url}${path}`)).json()) as { accepts: { network: string }[] };
    const offered = new Set(accepts.map(({ network }) => network.split(":")[0]));
    const able = CASES.filter((other) => other.cap_ms >= cap_ms).map(({ network }) => network.split(":")[0]);
    expect([...offered].sort()).toEqual([...new Set(able)].sort() as string[]);
  }
});
