import { afterAll, beforeAll, expect, test } from "bun:test";
import { decodePaymentResponseHeader } from "@x402/core/http";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createPublicClient, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hashApiKey } from "../../src/core/api-key.ts";
import { repeat } from "../helpers/effort.ts";
import { numberPlugin } from "../helpers/file-node.ts";
import { createKilledNode, METERED_PLUGIN } from "../helpers/killed-node.ts";

const ROUNDS = repeat({ quick: 3, full: 30, long: 200 });
/** How long after its first call of a round the node is killed, at most. */
const KILL_MS_MAX = 250;
const CHANNELS = `[payments.channels]
enabled = true
[metering]
enabled = true
[plans.buy_credits]
price = "0.01"
`;
/** What is bought in turn: every third call is metered, every third buys a key. */
const PATHS = ["/number", "/metered", "/buy-credits"] as const;

let world: Awaited<ReturnType<typeof createKilledNode>>;
beforeAll(async () => {
  const plugins = { number: numberPlugin("number", 1), metered: METERED_PLUGIN };
  world = await createKilledNode({ name: "channels-kill", plugins, toml: CHANNELS });
});
afterAll(() => world.stop());

function createBuyer() {
  const account = privateKeyToAccount(generatePrivateKey());
  const chain = createPublicClient({ transport: http(world.sandbox.rpcUrl("base_sepolia")) });
  const signer = { ...account, readContract: (args: never) => chain.readContract(args) };
  const scheme = new BatchSettlementEvmScheme(signer as never, { depositPolicy: { depositMultiplier: 4 } });
  return wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", scheme));
}

test("a node that is killed at any moment charges each answer once, and loses no voucher it acknowledged", async () => {
  const buy = createBuyer();
  let delivered = 0;
  let acknowledged = 0n;
  const keys: string[] = [];
  /** One call, sent again until it is answered: the same request each time, under the same name. */
  const buyOnce = async (origin: string): Promise<boolean> => {
    const path = PATHS[delivered % PATHS.length];
    const headers = { "Idempotency-Key": `call ${delivered} of this test` };
    const response = await buy(`${origin}${path}`, { headers }).catch(() => null);
    if (response?.status !== 200) return false;
    // A node that dies while it answers sends half of it.
    const answer = (await response.json().catch(() => null)) as { readonly api_key?: string } | null;
    if (answer === null) return false;
    if (path === "/buy-credits") keys.push(answer.api_key ?? "");
    const told = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "") as unknown as {
      extra: { chargedAmount: string; channelState: { chargedCumulativeAmount: string } };
    };
    delivered += 1;
    acknowledged += BigInt(told.extra.chargedAmount);
    expect(BigInt(told.extra.channelState.chargedCumulativeAmount)).toBe(acknowledged);
    return true;
  };

  await world.killWhileSelling(ROUNDS, KILL_MS_MAX, buyOnce);

  const last = await world.start();
  for (let n = 0; n < 3; n += 1) {
    // What was cut off in the middle of a deposit is looked up on the chain first.
    while (!(await buyOnce(last.url))) await Bun.sleep(100);
  }
  await last.kill();
  const books = world.openBooks();
  try {
    expect((await books.audit()).findings).toEqual([]);
    // Each purchase made one key, and its buyer has it.
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) {
      const row = await books.keys.find(hashApiKey(key));
      expect(row?.account && (await books.keys.balance(row.account)).posted).toBe(1_250_000n);
    }
    expect(await books.keys.page(0, 10_000)).toHaveLength(keys.length);
    const [total] = await books.channels.totals();
    expect(total?.earned).toBe(acknowledged);
    expect(total?.channels).toBe(1);
  } finally {
    await books.close();
  }
});
