import { afterAll, beforeAll, expect, test } from "bun:test";
import { decodePaymentResponseHeader } from "@x402/core/http";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createPublicClient, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
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
`;

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
  /** One call, sent again until it is answered: the same request each time. Every other one is metered. */
  const buyOnce = async (origin: string): Promise<boolean> => {
    const response = await buy(`${origin}/${delivered % 2 === 0 ? "number" : "metered"}`).catch(() => null);
    if (response?.status !== 200) return false;
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
    const [total] = await books.channels.totals();
    expect(total?.earned).toBe(acknowledged);
    expect(total?.channels).toBe(1);
  } finally {
    await books.close();
  }
});
