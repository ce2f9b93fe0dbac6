import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodePaymentResponseHeader } from "@x402/core/http";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createWalletClient, http, parseAbi } from "viem";
import { CHANNEL_ABI } from "../../src/payments/channels/abi.ts";
import { CONTRACT } from "../../src/payments/channels/contract.ts";
import { explainNoAnvil, hasAnvil } from "../helpers/anvil.ts";
import { newBuyer, startWorld, type World } from "../helpers/anvil-world.ts";

explainNoAnvil();

const MONEY = 1_000_000n;
const MORE = '[payments.channels]\nenabled = true\nclaim_sum = "1000"\n';

/**
 * The official client and the official contract's interface, on a real chain; settled by each kind of facilitator. That
 * sums add up over thousands of calls: test/binary/channels.test.ts.
 */
describe.skipIf(!hasAnvil()).each(["remote", "embedded"] as const)("channels by a facilitator that is %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({
      kind,
      more: MORE,
      entry: 'gas_cap_per_hour = "1"',
      settle_timeout: "30s",
      claims_max: 2,
    });
    await world.node.node.runChannels();
  });
  afterAll(() => world.stop());

  const createBuyer = async () => {
    const account = await newBuyer(world.anvil, MONEY);
    const signer = { ...account, readContract: (args: never) => world.anvil.reader.readContract(args) };
    const scheme = new BatchSettlementEvmScheme(signer as never, { depositPolicy: { depositMultiplier: 5 } });
    const buy = wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", scheme));
    return { account, scheme, buy };
  };
  const settlementOf = (response: Response) =>
    decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "") as unknown as {
      readonly amount: string;
      readonly extra: { readonly chargedAmount: string; readonly channelState: Record<string, string> };
    };
  const audited = async () => expect((await world.node.node.audit()).findings).toEqual([]);

  test("a withdrawal is seen, what was earned is claimed before it, and nothing more is sold", async () => {
    const { account, buy, scheme } = await createBuyer();
    const opened = settlementOf(await buy(world.url)).extra.channelState;
    const left = BigInt(opened.balance ?? "0") - BigInt(opened.chargedCumulativeAmount ?? "0");
    const challenge = await fetch(world.url);
    const body = (await challenge.json()) as { accepts: { scheme: string }[] };
    const requirement = body.accepts.find((one) => one.scheme === "batch-settlement");
    const config = scheme.buildChannelConfig(requirement as never);
    const wallet = createWalletClient({ account, chain: world.anvil.reader.chain, transport: http(world.anvil.url) });
    const call = { address: CONTRACT, abi: parseAbi(CHANNEL_ABI) } as const;
    await world.anvil.mined(
      await wallet.writeContract({ ...call, functionName: "initiateWithdraw", args: [config as never, left] }),
    );
    await world.node.node.runChannels();
    expect((await world.node.node.channelTotals())[0]).toMatchObject({ withdrawing: 1, unclaimed: 0n, unswept: 0n });
    expect((await buy(world.url)).status).toBe(402);
    await audited();
  });

  test("as many channels are claimed in one transaction as whoever settles it takes", async () => {
    const { channels, at_once, claims } =
      kind === "remote" ? { channels: 5, at_once: 1, claims: 3 } : { channels: 26, at_once: 26, claims: 1 };
    const [before] = await world.node.node.channelTotals();
    const buyers: Awaited<ReturnType<typeof createBuyer>>[] = [];
    for (let n = 0; n < channels; n += 1) buyers.push(await createBuyer());
    for (let n = 0; n < channels; n += at_once) {
      const opening = buyers.slice(n, n + at_once).map(async ({ buy }) => (await buy(world.url)).status);
      expect(new Set(await Promise.all(opening))).toEqual(new Set([200]));
    }
    const sender = world.facilitator?.address ?? world.gas.address;
    const sent = await world.anvil.transactionCount(sender);
    await world.node.node.runChannels({ all: true });
    expect(await world.anvil.transactionCount(sender)).toBe(sent + claims + 1);
    const price = 10_000n;
    const swept = (before?.swept ?? 0n) + price * BigInt(channels);
    expect((await world.node.node.channelTotals())[0]).toMatchObject({ unclaimed: 0n, unswept: 0n, swept });
    await audited();
  });
});
