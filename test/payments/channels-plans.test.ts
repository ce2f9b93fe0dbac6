import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  createBuyer,
  errorOf,
  NETWORK,
  send,
  settlementOf,
  sign,
  startChannelNode,
} from "../helpers/channel-buyers.ts";
import type { MoneyNode } from "../helpers/money-node.ts";

/** Of the plan that is sold here, and what it grants. */
const PRICE = 10_000n;
const CREDIT = "1250000";

interface Bought {
  readonly api_key?: string;
  readonly key_id: string;
  readonly balance_atomic: string;
  readonly topped_up?: boolean;
}

let node: MoneyNode;
beforeAll(async () => {
  node = await startChannelNode({}, '[plans.day_pass]\nprice = "0.02"\n');
});
afterAll(() => node.stop());
afterEach(async () => {
  node.facilitator.script.settle = (forward) => forward();
  expect((await node.node.audit()).findings).toEqual([]);
});

const urlOf = (path: string): string => `${node.url}${path}`;
const PLAN = "/buy-credits";
const NAME = { "Idempotency-Key": "a-name-that-only-i-know" };
const readBought = async (response: Response): Promise<Bought> => {
  expect(response.status).toBe(200);
  return (await response.json()) as Bought;
};
/** What a key has left; null where it is none. */
async function balanceOf(key: string | undefined): Promise<string | null> {
  const answer = await fetch(urlOf("/credits-status"), { headers: { "X-API-Key": key ?? "" } });
  const { balance_atomic = null } = (await answer.json()) as { balance_atomic?: string };
  return balance_atomic;
}
/** A buyer whose channel is open: what he buys next needs no deposit. */
async function openBuyer() {
  const buyer = createBuyer(node);
  expect((await buyer.buy(urlOf("/one?q=open"))).status).toBe(200);
  return buyer;
}

describe("the official client buys a plan", () => {
  test("with its deposit, and the next one by a voucher; both keys work", async () => {
    const buyer = createBuyer(node);
    const before = (await node.node.channelTotals())[0]?.earned ?? 0n;
    const first = await buyer.buy(urlOf(PLAN));
    const bought = await readBought(first);
    expect(settlementOf(first)).toMatchObject({ amount: "50000", extra: { chargedAmount: `${PRICE}` } });
    expect([bought.balance_atomic, bought.api_key]).toEqual([CREDIT, expect.stringMatching(/^ink_/)]);
    const asked = { ...node.facilitator.calls };
    const second = await buyer.buy(urlOf(PLAN));
    const other = await readBought(second);
    expect(settlementOf(second)).toMatchObject({ transaction: "", extra: { chargedAmount: `${PRICE}` } });
    expect(node.facilitator.calls).toEqual(asked);
    expect(other.key_id).not.toBe(bought.key_id);
    for (const { api_key = "" } of [bought, other]) {
      const call = await fetch(urlOf("/one?q=by-key"), { headers: { "X-API-Key": api_key } });
      expect([call.status, call.headers.get("X-Credits-Remaining")]).toEqual([200, "1.24"]);
    }
    expect(((await node.node.channelTotals())[0]?.earned ?? 0n) - before).toBe(2n * PRICE);
    // What a voucher bought is told by its receipt, and by no other name.
    const receipt = await fetch(
      urlOf(
        `/receipts/${second.headers.get("X-Receipt-Id")}?channel=${settlementOf(second).extra?.channelState.channelId}`,
      ),
    );
    expect(await receipt.json()).toMatchObject({ product: "buy-credits", amount_atomic: `${PRICE}` });
  });

  test("for the key that it has", async () => {
    const buyer = await openBuyer();
    const { api_key = "" } = await readBought(await buyer.buy(urlOf(PLAN)));
    const more = await buyer.buy(urlOf(PLAN), { headers: { "X-API-Key": api_key } });
    const topped = await readBought(more);
    expect(topped).toMatchObject({ topped_up: true, balance_atomic: "2500000" });
    expect(topped.api_key).toBeUndefined();
    expect(await balanceOf(api_key)).toBe("2500000");
    const pass = await buyer.buy(urlOf("/day-pass"), { headers: { "X-API-Key": api_key } });
    expect(await pass.json()).toMatchObject({ unlimited: true, topped_up: true });
    expect((await fetch(urlOf("/one?q=by-pass"), { headers: { "X-API-Key": api_key } })).status).toBe(200);
    expect(await balanceOf(api_key)).toBe("2500000");
  });
});

describe("the same voucher again", () => {
  test.each([["voucher", openBuyer] as const, ["deposit", async () => createBuyer(node)] as const])(
    "of a %s is one key: whole for who knows its name, without the secret for everybody else",
    async (kind, start) => {
      const buyer = await start();
      const payment = await sign(buyer, urlOf(PLAN));
      expect(payment.payload).toMatchObject({ type: kind });
      const first = await send(urlOf(PLAN), payment, NAME);
      const bytes = await first.text();
      expect([first.status, JSON.parse(bytes).api_key]).toEqual([200, expect.stringMatching(/^ink_/)]);
      const named = await send(urlOf(PLAN), payment, NAME);
      expect([named.headers.get("X-Idempotent-Replay"), await named.text()]).toEqual(["true", bytes]);
      const bare = await readBought(await send(urlOf(PLAN), payment));
      expect(bare).toMatchObject({ api_key: "withheld", key_id: JSON.parse(bytes).key_id });
      // For another key it is another purchase.
      const other = await send(urlOf(PLAN), payment, { ...NAME, "X-API-Key": JSON.parse(bytes).api_key });
      expect([other.status, errorOf(other)]).toEqual([402, "invalid_batch_settlement_evm_cumulative_amount_mismatch"]);
      expect(await balanceOf(JSON.parse(bytes).api_key)).toBe(CREDIT);
    },
  );

  test("sixteen times at once is one key", async () => {
    const buyer = await openBuyer();
    const payment = await sign(buyer, urlOf(PLAN));
    const earned = (await node.node.channelTotals())[0]?.earned ?? 0n;
    const answers = await Promise.all(Array.from({ length: 16 }, () => send(urlOf(PLAN), payment, NAME)));
    const bought = await Promise.all(answers.map(readBought));
    expect(new Set(bought.map(({ api_key }) => api_key)).size).toBe(1);
    expect(((await node.node.channelTotals())[0]?.earned ?? 0n) - earned).toBe(PRICE);
  });
});

describe("a deposit that buys a plan", () => {
  test("and whose answer was lost has made its key when it landed, for who knows its name", async () => {
    const buyer = createBuyer(node);
    const payment = await sign(buyer, urlOf(PLAN));
    node.facilitator.script.settle = async (forward) => {
      await forward();
      return new Response("gone", { status: 500 });
    };
    const lost = await send(urlOf(PLAN), payment, NAME);
    expect(await lost.json()).toMatchObject({ code: "settlement_unknown" });
    const bought = await readBought(await send(urlOf(PLAN), payment, NAME));
    expect(await balanceOf(bought.api_key)).toBe(CREDIT);
    expect(await readBought(await send(urlOf(PLAN), payment, NAME))).toEqual(bought);
  });

  test("and never landed makes none", async () => {
    const buyer = createBuyer(node);
    const payment = await sign(buyer, urlOf(PLAN));
    node.facilitator.script.settle = () =>
      Response.json({ success: false, errorReason: "insufficient_funds", transaction: "", network: NETWORK });
    const refused = await send(urlOf(PLAN), payment, NAME);
    const text = await refused.text();
    expect([refused.status, text.includes("ink_")]).toEqual([402, false]);
    node.facilitator.script.settle = (forward) => forward();
    // The same payment buys it then.
    expect(await balanceOf((await readBought(await send(urlOf(PLAN), payment, NAME))).api_key)).toBe(CREDIT);
  });
});
