import { afterEach, beforeEach, expect, test } from "bun:test";
import { createBuyer, NETWORK, settlementOf, startChannelNode } from "../helpers/channel-buyers.ts";
import type { MoneyNode } from "../helpers/money-node.ts";

/** What is left in a channel that nobody uses any more goes back to its payer, where the operator wants that. */
const DAY_MS = 86_400_000;

let node: MoneyNode;
beforeEach(async () => {
  node = await startChannelNode({}, 'idle_refund = "90d"\nidle_refund_least = "0.01"\n');
});
afterEach(() => node.stop());

async function balance(address: string): Promise<bigint> {
  const chain = (await (await fetch(`${node.url}/__sandbox/chain`)).json()) as {
    balances: Record<string, Record<string, string>>;
  };
  return BigInt(chain.balances[NETWORK]?.[address] ?? "0");
}
const totals = async () => (await node.node.channelTotals())[0];

test("a channel that nobody used for the time is given back once, and what it earned comes home with it", async () => {
  const buyer = createBuyer(node);
  const began_ms = node.clock.now();
  expect((await buyer.buy(`${node.url}/one?q=a`)).status).toBe(200);
  const held = await balance(buyer.address);
  const returned = async () => (await balance(buyer.address)) - held;
  node.clock.advance(89 * DAY_MS);
  await node.node.runChannels();
  expect(await returned()).toBe(0n);
  node.clock.advance(2 * DAY_MS);
  await node.node.runChannels();
  expect(await returned()).toBe(40_000n);
  expect(await totals()).toMatchObject({ earned: 10_000n, owed: 0n, unclaimed: 0n, unswept: 0n });
  await node.node.runChannels();
  expect(await returned()).toBe(40_000n);
  expect((await node.node.audit()).findings).toEqual([]);
  // It is a channel as any other one that was refunded: more is put in, by the clock of its buyer, and it pays again.
  node.clock.set(began_ms);
  const again = await buyer.restart().buy(`${node.url}/two`);
  expect(again.status).toBe(200);
  expect(settlementOf(again).extra?.channelState.chargedCumulativeAmount).toBe("20000");
});

test("one that a facilitator does not give back is tried again a day later", async () => {
  const buyer = createBuyer(node);
  expect((await buyer.buy(`${node.url}/one?q=b`)).status).toBe(200);
  const held = await balance(buyer.address);
  node.clock.advance(91 * DAY_MS);
  const { script } = node.facilitator;
  const { settle } = script;
  // What is earned is claimed meanwhile.
  const refuse = () => Response.json({ success: false, errorReason: "not_now", transaction: "", network: NETWORK });
  script.settle = (forward) => (node.facilitator.last.settle.includes('"refund"') ? refuse() : forward());
  await node.node.runChannels();
  script.settle = settle;
  await node.node.runChannels();
  expect(await balance(buyer.address)).toBe(held);
  node.clock.advance(DAY_MS + 1);
  await node.node.runChannels();
  expect((await balance(buyer.address)) - held).toBe(40_000n);
  expect((await node.node.audit()).findings).toEqual([]);
});
