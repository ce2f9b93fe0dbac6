import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createBuyer, errorOf, NETWORK, send, sign, startChannelNode } from "../helpers/channel-buyers.ts";
import type { MoneyNode, Reply } from "../helpers/money-node.ts";

/** What a facilitator may say of a channel that is not so, to a node that can read the chain itself. */
const PRICE = 10_000n;
const HOUR_MS = 3_600_000;
const TERMS = "invalid_batch_settlement_evm_";

let node: MoneyNode;
beforeAll(async () => {
  node = await startChannelNode();
});
afterAll(() => node.stop());

interface State {
  readonly balance: string;
}
interface Words {
  readonly extra?: State & { readonly channelState?: State };
}
const totals = async () => (await node.node.channelTotals())[0];
const balanceOf = (address: string): bigint => BigInt(node.sandbox.readChain().balance(address));

/** Says that so much more lies in the channel than does. */
const exaggerate =
  (by: bigint): Reply =>
  async (forward) => {
    const words = (await (await forward()).json()) as Words;
    const more = <T extends State>(state: T): T => ({ ...state, balance: `${BigInt(state.balance) + by}` });
    const { extra } = words;
    if (extra === undefined) return Response.json(words);
    const { channelState } = extra;
    return Response.json({
      ...words,
      extra: channelState ? { ...extra, channelState: more(channelState) } : more(extra),
    });
  };

async function whileSaying(words: Partial<MoneyNode["facilitator"]["script"]>, work: () => Promise<void>) {
  const { script } = node.facilitator;
  const honest = { ...script };
  Object.assign(script, words);
  await work().finally(() => Object.assign(script, honest));
}

describe("a facilitator that says of a channel what is not so", () => {
  test("invents one: its voucher buys nothing, and nothing is kept of it", async () => {
    const buyer = createBuyer(node);
    const url = `${node.url}/one?q=invented`;
    const { payload, ...rest } = await sign(buyer, url);
    const { channelConfig, voucher } = payload as { channelConfig: object; voucher: object };
    const state = { balance: "1000000", totalClaimed: "0", withdrawRequestedAt: 0, refundNonce: "0" };
    const verify = () => Response.json({ isValid: true, payer: buyer.account.address, extra: state });
    const before = [await totals(), node.work.produced];
    await whileSaying({ verify }, async () => {
      const response = await send(url, { ...rest, payload: { type: "voucher", channelConfig, voucher } });
      expect([response.status, errorOf(response)]).toEqual([402, `${TERMS}cumulative_amount_mismatch`]);
    });
    expect([await totals(), node.work.produced]).toEqual(before);
  });

  test("says that more lies in it: the books have what was put in", async () => {
    const buyer = createBuyer(node);
    const before = balanceOf(buyer.account.address);
    const owed = (await totals())?.owed ?? 0n;
    const more = exaggerate(1_000_000n);
    await whileSaying({ verify: more, settle: more }, async () => {
      expect((await buyer.buy(`${node.url}/one?q=more`)).status).toBe(200);
    });
    const deposit = before - balanceOf(buyer.account.address);
    expect(((await totals())?.owed ?? 0n) - owed).toBe(deposit - PRICE);
    await node.node.runChannels();
    expect(((await totals())?.owed ?? 0n) - owed).toBe(deposit - PRICE);
  });

  test("invents a deposit: it pays for no more once the chain was read; its answer is booked as a loss", async () => {
    const buyer = createBuyer(node);
    const url = `${node.url}/one?q=bait`;
    const payment = await sign(buyer, url);
    const { deposit } = payment.payload as unknown as { deposit: { amount: string } };
    const untouched = balanceOf(buyer.account.address);
    const lost = (await totals())?.lost ?? 0n;
    const state = { balance: deposit.amount, totalClaimed: "0", withdrawRequestedAt: 0, refundNonce: "0" };
    const transaction = `0x${"7".repeat(64)}`;
    const lie = { success: true, transaction, network: NETWORK, amount: "", extra: { channelState: state } };
    await whileSaying({ settle: () => Response.json(lie) }, async () => {
      expect((await send(url, payment)).status).toBe(200);
    });
    await node.node.runChannels();
    const produced = node.work.produced;
    const next = await buyer.buy(`${node.url}/two`);
    expect([next.status, node.work.produced]).toEqual([402, produced]);
    for (let look = 0; look < 3; look += 1) {
      node.clock.advance(HOUR_MS);
      await node.node.runChannels({ all: true });
    }
    expect(((await totals())?.lost ?? 0n) - lost).toBe(PRICE);
    expect(balanceOf(buyer.account.address)).toBe(untouched);
    expect((await node.node.audit()).findings).toEqual([]);
  });
});
