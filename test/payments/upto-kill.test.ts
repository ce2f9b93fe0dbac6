import { afterAll, beforeAll, expect, test } from "bun:test";
import { decodePaymentResponseHeader } from "@x402/core/http";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { repeat } from "../helpers/effort.ts";
import { createKilledNode, METERED_PLUGIN } from "../helpers/killed-node.ts";

const ROUNDS = repeat({ quick: 3, full: 30, long: 200 });
/** How long after its first call of a round the node is killed, at most. */
const KILL_MS_MAX = 250;
const UPTO = `[payments.upto]
enabled = true
[metering]
enabled = true
`;

let world: Awaited<ReturnType<typeof createKilledNode>>;
beforeAll(async () => {
  world = await createKilledNode({ name: "upto-kill", plugins: { metered: METERED_PLUGIN }, toml: UPTO });
});
afterAll(() => world.stop());

interface Bought {
  readonly transaction: string;
  readonly amount: bigint;
}

function createBuyer() {
  const account = privateKeyToAccount(generatePrivateKey());
  const client = new x402Client().register("eip155:*", new UptoEvmScheme(account));
  const pay = wrapFetchWithPayment(fetch, client);
  const bought: Bought[] = [];
  /** One call. @returns whether it was answered. */
  const buy = async (origin: string): Promise<boolean> => {
    const response = await pay(`${origin}/metered`).catch(() => null);
    if (response?.status !== 200) return false;
    const told = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "");
    const { data } = (await response.json()) as { data: { n: number } };
    const amount = BigInt(told.amount ?? "0");
    // The published formula: a tenth of what the peer was paid, from the floor to the price.
    const formula = BigInt(data.n) / 10n;
    expect(amount).toBe(formula < 1_000n ? 1_000n : formula > 10_000n ? 10_000n : formula);
    bought.push({ transaction: told.transaction, amount });
    return true;
  };
  return { buy, bought, address: account.address };
}

/** What left a wallet that began with 100 USDC. */
const spentBy = (address: string): bigint => 100_000_000n - BigInt(world.sandbox.readChain().balance(address));

test("a node that is killed at any moment takes each charge once, and never more than it wrote down", async () => {
  const buyer = createBuyer();
  await world.killWhileSelling(ROUNDS, KILL_MS_MAX, buyer.buy);

  const last = await world.start();
  // What was cut off while it was settled is looked up on the chain first, and answers the next call.
  for (let n = 0; n < 3; n += 1) while (!(await buyer.buy(last.url))) await Bun.sleep(100);
  await last.kill();
  const books = world.openBooks();
  try {
    expect((await books.audit()).findings).toEqual([]);
    const receipts = await books.receipts.list({ limit: 10_000 });
    const booked = new Map(receipts.map((one) => [one.chain_transaction, one.amount]));
    for (const { transaction, amount } of buyer.bought) expect(booked.get(transaction.toLowerCase())).toBe(amount);
    const sum = receipts.reduce((all, one) => all + one.amount, 0n);
    const open = await books.payments.listUnknown(100);
    // Money moved by what is booked, or by what is still open, each at the charge that was written down.
    const most = open.reduce((all, one) => all + one.amount, sum);
    expect(spentBy(buyer.address)).toBeGreaterThanOrEqual(sum);
    expect(spentBy(buyer.address)).toBeLessThanOrEqual(most);
  } finally {
    await books.close();
  }
});
