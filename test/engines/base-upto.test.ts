import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type Address, createWalletClient, http, parseAbi } from "viem";
import { PERMIT2 } from "../../src/payments/upto/contract.ts";
import { explainNoAnvil, hasAnvil, USDC } from "../helpers/anvil.ts";
import {
  deployBurning,
  newBuyer,
  type Signer,
  send,
  sendUntilKnown,
  startWorld,
  type World,
  walletOf,
} from "../helpers/anvil-world.ts";
import { repeat } from "../helpers/effort.ts";
import { createRelayed } from "../helpers/relayed-products.ts";

explainNoAnvil();

const MONEY = 1_000_000n;
const CALLS = repeat({ quick: 6, full: 30, long: 80 });
const MORE = '[payments.upto]\nenabled = true\n[metering]\nenabled = true\n[metering.ceilings]\n"/raised" = "0.02"\n';

/** The official client, Permit2 and the proxy by their published interfaces, on a real chain. */
describe.skipIf(!hasAnvil()).each(["remote", "embedded"] as const)("upto by a facilitator that is %s", (kind) => {
  const { peer, product: relayed } = createRelayed();
  let world: World;
  beforeAll(async () => {
    const products = [relayed("/relayed"), relayed("/raised")];
    world = await startWorld({ kind, more: MORE, products, entry: 'gas_cap_per_hour = "1"', settle_timeout: "30s" });
  });
  afterAll(() => world.stop());

  const clientOf = (signer: Signer) => new x402Client().register("eip155:*", new UptoEvmScheme(signer));
  const urlOf = (path: string) => `${world.origin}${path}`;
  const settlementOf = (response: Response) =>
    decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "");
  const audited = async () => expect((await world.node.node.audit()).findings).toEqual([]);
  const sellerHas = () => world.anvil.balanceOf(world.seller as Address);
  /** The payment the official client makes, unsent. */
  async function sign(signer: Signer, url: string) {
    const required = decodePaymentRequiredHeader((await fetch(url)).headers.get("PAYMENT-REQUIRED") ?? "");
    const accepts = required.accepts.filter(({ scheme }) => scheme === "upto");
    return clientOf(signer).createPaymentPayload({ ...required, accepts });
  }
  async function newPayer() {
    const account = await newBuyer(world.anvil, MONEY);
    await world.anvil.approve(account.address, PERMIT2);
    return account;
  }

  test("each call moves its charge, to the atomic unit", async () => {
    const account = await newPayer();
    const buy = wrapFetchWithPayment(fetch, clientOf(account));
    const before = await sellerHas();
    let charged = 0n;
    for (let n = 0; n < CALLS; n += 1) {
      // From below the floor to beyond the ceiling.
      peer.price = n * 23_457;
      const response = await buy(`${urlOf(n % 2 === 0 ? "/relayed" : "/raised")}?q=${n}`);
      expect(response.status).toBe(200);
      const ceiling = n % 2 === 0 ? 10_000n : 20_000n;
      const formula = BigInt(peer.price) / 10n;
      const charge = formula < 1_000n ? 1_000n : formula > ceiling ? ceiling : formula;
      const { amount, transaction } = settlementOf(response);
      expect(amount).toBe(`${charge}`);
      expect(transaction).toMatch(/^0x[0-9a-f]{64}$/);
      charged += charge;
    }
    expect(await world.anvil.balanceOf(account.address)).toBe(MONEY - charged);
    expect((await sellerHas()) - before).toBe(charged);
    await audited();
  });

  test("a payer without an approval of Permit2 gets that reason, and later the same payment works", async () => {
    const account = await newBuyer(world.anvil, MONEY);
    peer.price = 25_000;
    const payment = await sign(account, urlOf("/relayed"));
    const refused = await send(urlOf("/relayed"), payment);
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      charged: false,
      diagnostic: { reason: "permit2_allowance_required", same_payment: true },
    });
    await world.anvil.approve(account.address, PERMIT2);
    const served = await send(urlOf("/relayed"), payment);
    expect(served.status).toBe(200);
    expect(await world.anvil.balanceOf(account.address)).toBe(MONEY - 2_500n);
  });

  test("a contract wallet (ERC-1271) pays its charge; a stranger's signature for it pays nothing", async () => {
    const owner = await newBuyer(world.anvil);
    const stranger = await newBuyer(world.anvil);
    const address = await world.anvil.deploy("TestWallet", [owner.address]);
    await world.anvil.mint(address, MONEY);
    await world.anvil.approve(address, PERMIT2);
    peer.price = 33_330;
    const url = urlOf("/relayed");
    const forged = await send(url, await sign(walletOf(address, stranger), url));
    expect(forged.status).toBe(402);
    expect(await forged.json()).toMatchObject({ charged: false });
    expect(await world.anvil.balanceOf(address)).toBe(MONEY);
    const payment = await sign(walletOf(address, owner), url);
    const served = await send(url, payment);
    expect(settlementOf(served)).toMatchObject({ amount: "3333" });
    const again = await send(url, payment);
    expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
    expect(await world.anvil.balanceOf(address)).toBe(MONEY - 3_333n);
    await audited();
  });

  test("a nonce that its owner took back, and a wallet that was emptied, pay nothing", async () => {
    const account = await newPayer();
    const url = urlOf("/relayed");
    const payment = await sign(account, url);
    const { nonce } = (payment.payload as { permit2Authorization: { nonce: string } }).permit2Authorization;
    const wallet = createWalletClient({ account, chain: world.anvil.reader.chain, transport: http(world.anvil.url) });
    const abi = parseAbi(["function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)"]);
    const args = [BigInt(nonce) >> 8n, 1n << (BigInt(nonce) & 0xffn)] as const;
    const call = { address: PERMIT2, abi, functionName: "invalidateUnorderedNonces", args } as const;
    await world.anvil.mined(await wallet.writeContract(call));
    expect((await send(url, payment)).status).toBe(402);
    const poor = await newBuyer(world.anvil, 9_999n);
    await world.anvil.approve(poor.address, PERMIT2);
    const short = await send(url, await sign(poor, url));
    expect(short.status).toBe(402);
    expect(await short.json()).toMatchObject({
      charged: false,
      diagnostic: { reason: expect.stringContaining("insufficient") },
    });
    expect(await world.anvil.balanceOf(account.address)).toBe(MONEY);
    expect(await world.anvil.balanceOf(poor.address)).toBe(9_999n);
    await audited();
  });

  test("a wallet that is emptied between verify and settle is charged nothing", async () => {
    const account = await newPayer();
    const url = urlOf("/relayed");
    const payment = await sign(account, url);
    const wallet = createWalletClient({ account, chain: world.anvil.reader.chain, transport: http(world.anvil.url) });
    peer.between = async () => {
      const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);
      const args = ["0x000000000000000000000000000000000000dEaD", MONEY] as const;
      const call = { address: USDC, abi, functionName: "transfer", args } as const;
      await world.anvil.mined(await wallet.writeContract(call));
    };
    const served = await sendUntilKnown({ ...world, url }, payment);
    expect(served.status).toBe(402);
    expect(await world.anvil.balanceOf(account.address)).toBe(0n);
    await audited();
  });
});

describe.skipIf(!hasAnvil())("the gas account of a node that settles upto by itself", () => {
  const { peer, product: relayed } = createRelayed();
  const start = (entry: string) =>
    startWorld({ kind: "embedded", more: MORE, products: [relayed("/relayed"), relayed("/raised")], entry });
  const pay = (signer: Signer) =>
    wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", new UptoEvmScheme(signer)));

  test("pays for no wallet that burns gas, nor is anything made for it", async () => {
    const world = await start('gas_cap_per_hour = "1"');
    try {
      const owner = await newBuyer(world.anvil);
      const address = await deployBurning(world.anvil, "a1");
      await world.anvil.approve(address, PERMIT2);
      const response = await pay(walletOf(address, owner))(`${world.origin}/relayed`);
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({ charged: false, diagnostic: { reason: "gas_over_limit" } });
      expect(await world.anvil.transactionCount(world.gas.address)).toBe(0);
    } finally {
      await world.stop();
    }
  });

  test("is held to a share of the signed amount, and an admitted buyer is charged even a small sum", async () => {
    // A settlement takes about 0.0002 ETH at this price of gas: more than the floor is worth, less than the ceiling.
    const world = await start('gas_cap_per_hour = "1"\ncoin_usd = "50"\ngas_share_max = 1.0');
    const account = await newBuyer(world.anvil);
    await world.anvil.approve(account.address, PERMIT2);
    const at = async (path: string) => {
      await world.anvil.setBaseFee(10n ** 9n);
      return pay(account)(`${world.origin}${path}`);
    };
    try {
      peer.price = 0;
      const served = await at("/raised");
      expect(served.status).toBe(200);
      expect(await world.anvil.balanceOf(account.address)).toBe(999_000n);
      await served.text();
      await world.anvil.setBaseFee(10n ** 10n);
      const dear = await pay(account)(`${world.origin}/relayed`);
      expect(dear.status).toBe(402);
      expect(await dear.json()).toMatchObject({ charged: false, diagnostic: { reason: "gas_over_share" } });
    } finally {
      await world.stop();
    }
  });

  test("sells nothing beyond its hourly cap, and offers nothing then", async () => {
    const world = await start('gas_cap_per_hour = "0.001"');
    try {
      let sold = 0;
      for (let n = 0; n < 12; n += 1) {
        const account = await newBuyer(world.anvil);
        await world.anvil.approve(account.address, PERMIT2);
        await world.anvil.setBaseFee(10n ** 9n);
        const response = await pay(account)(`${world.origin}/relayed?q=${n}`);
        if (response.status !== 200) break;
        sold += 1;
        await response.text();
      }
      expect(sold).toBeGreaterThan(0);
      expect(sold).toBeLessThan(12);
      expect(await world.anvil.transactionCount(world.gas.address)).toBe(sold);
      expect((await fetch(`${world.origin}/relayed`)).status).toBe(503);
    } finally {
      await world.stop();
    }
  });
});
