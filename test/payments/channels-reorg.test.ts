import { afterAll, beforeAll, expect, test } from "bun:test";
import { createLog } from "../../src/telemetry/log.ts";
import { createBuyer, errorOf, send, sign, startChannelNode } from "../helpers/channel-buyers.ts";
import { until } from "../helpers/hang-limit.ts";
import type { MoneyNode } from "../helpers/money-node.ts";

/** `channels(bytes32)` of the contract. */
const CHANNELS = "0x7a7ebd7b";
const HOUR_MS = 3_600_000;

let node: MoneyNode;
/** While it is set, the blocks in which this channel was given money are undone. */
let undone = "";
/** What the chain says of that channel, once it is let go. */
let held: { readonly id: string; readonly answer: Promise<string>; asked: boolean } | null = null;
let asked = 0;
let lines = "";
const chain = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const body = await request.text();
    const { id, params } = JSON.parse(body) as { id: number; params: { data?: string }[] };
    const data = params[0]?.data ?? "";
    if (undone !== "" && data === `${CHANNELS}${undone.slice(2)}`) {
      asked += 1;
      return Response.json({ jsonrpc: "2.0", id, result: `0x${"0".repeat(128)}` });
    }
    if (held !== null && data === `${CHANNELS}${held.id.slice(2)}`) {
      held.asked = true;
      return Response.json({ jsonrpc: "2.0", id, result: await held.answer });
    }
    return fetch(honest, { method: "POST", body, headers: { "content-type": "application/json" } });
  },
});
let honest = "";

beforeAll(async () => {
  const write = (text: string) => {
    lines += text;
  };
  node = await startChannelNode({ log: createLog({ level: "info", format: "json", secrets: [], write }) });
  honest = node.sandbox.rpcUrl("base_sepolia");
  Object.assign(node.sandbox, { rpcUrl: () => `http://127.0.0.1:${chain.port}` });
});
afterAll(async () => {
  await node.stop();
  await chain.stop(true);
});

const totals = async () => (await node.node.channelTotals())[0];
const audited = async () => expect((await node.node.audit()).findings).toEqual([]);
const told = (name: string) =>
  lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter(({ event }) => event === name);
const channelOf = (payment: Awaited<ReturnType<typeof sign>>): string =>
  (payment.payload as unknown as { voucher: { channelId: string } }).voucher.channelId.toLowerCase();

/** A buyer who paid for two calls, and what he sends for the next one; then the chain undoes his deposit. */
async function undoDeposit() {
  const buyer = createBuyer({ sandbox: { rpcUrl: () => honest } as never });
  for (const n of [1, 2]) expect((await buyer.buy(`${node.url}/one?q=${n}`)).status).toBe(200);
  const payment = await sign(buyer, `${node.url}/two`);
  undone = channelOf(payment);
  await node.node.runChannels();
  return { buyer, payment };
}

test("a deposit whose block was undone pays for nothing more until it is there again", async () => {
  const { payment } = await undoDeposit();
  const before = await totals();
  const produced = node.work.produced;
  for (let n = 0; n < 5; n += 1) {
    const refused = await send(`${node.url}/two`, payment);
    expect(refused.status).toBe(402);
    expect(errorOf(refused)).toBe("invalid_batch_settlement_evm_channel_busy");
  }
  expect(node.work.produced).toBe(produced);
  expect(await totals()).toEqual(before);
  expect(told("channel_holds_less")).toMatchObject([{ level: "info", books: "50000", chain: "0" }]);
  // However often somebody sends it: the chain is not asked for every call.
  expect(asked).toBeLessThanOrEqual(3);
  await node.node.runChannels();
  expect(told("channel_holds_less")[1]).toMatchObject({ level: "error" });
  // Its transaction stands in a later block: the same voucher buys what it was for.
  undone = "";
  node.clock.advance(5_000);
  expect((await send(`${node.url}/two`, payment)).status).toBe(200);
  expect((await totals())?.earned).toBe((before?.earned ?? 0n) + 10_000n);
  await audited();
});

test("an answer of the chain from before a deposit takes nothing of it away", async () => {
  const buyer = createBuyer({ sandbox: { rpcUrl: () => honest } as never });
  for (const n of [1, 2]) expect((await buyer.buy(`${node.url}/one?q=late-${n}`)).status).toBe(200);
  const { promise, resolve } = Promise.withResolvers<string>();
  held = { id: channelOf(await sign(buyer, `${node.url}/two`)), answer: promise, asked: false };
  const before = await totals();
  const round = node.node.runChannels();
  await until(() => held?.asked === true, "the round to ask the chain");
  // Of the fifty thousand that were in it some are claimed by now; the sixth call puts in as much again.
  for (let n = 3; n <= 6; n += 1) expect((await buyer.buy(`${node.url}/one?q=late-${n}`)).status).toBe(200);
  const word = (amount: number) => amount.toString(16).padStart(64, "0");
  resolve(`0x${word(50_000)}${word(10_000)}`);
  await round;
  held = null;
  expect(await totals()).toMatchObject({
    owed: (before?.owed ?? 0n) + 50_000n - 40_000n,
    earned: (before?.earned ?? 0n) + 40_000n,
    lost: before?.lost,
  });
  expect((await buyer.buy(`${node.url}/two`)).status).toBe(200);
  await audited();
});

test("one that never comes back is booked after an hour, as what it is", async () => {
  const { payment } = await undoDeposit();
  const before = await totals();
  for (let minutes = 0; minutes < 60; minutes += 20) {
    await node.node.runChannels();
    node.clock.advance(HOUR_MS / 3);
  }
  expect(await totals()).toEqual(before);
  await node.node.runChannels();
  expect(told("channel_deposit_undone")).toMatchObject([{ level: "error", unclaimed: "20000" }]);
  expect(await totals()).toMatchObject({
    earned: (before?.earned ?? 0n) - 20_000n,
    owed: (before?.owed ?? 0n) - 30_000n,
    lost: (before?.lost ?? 0n) + 20_000n,
  });
  expect((await send(`${node.url}/two`, payment)).status).toBe(402);
  await audited();
});
