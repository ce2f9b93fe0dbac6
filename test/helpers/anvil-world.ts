import { decodePaymentRequiredHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type Address, concat, type Hex, hexToNumber } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import type { AnyProduct } from "../../src/catalog/product.ts";
import { encodeHeader } from "../../src/payments/codec.ts";
import { type Anvil, startAnvil, USDC, USDC_ABI } from "./anvil.ts";
import { startEvmFacilitator } from "./anvil-facilitator.ts";
import { startEngineNode } from "./engine-node.ts";
import { until } from "./hang-limit.ts";

export const NETWORK = "eip155:8453";

export interface WorldOptions {
  readonly kind: "remote" | "embedded";
  /** Wei in the gas account. */
  readonly gas?: bigint;
  /** More lines of the embedded facilitator's table. */
  readonly entry?: string;
  readonly settle_timeout?: string;
  /** What a remote one takes in one claim. */
  readonly claims_max?: number;
  /** More tables of the node's configuration. */
  readonly more?: string;
  /** Sold besides /one and /two. */
  readonly products?: readonly AnyProduct[];
  /** Stands in for the chain's own address in the node's configuration. */
  readonly rpc?: (url: string) => string;
}

let worlds = 0;

/** An Anvil, a node that sells /one on it, and whoever settles. */
export async function startWorld({
  kind,
  gas = 10n ** 18n,
  entry = "",
  settle_timeout = "5s",
  claims_max = 25,
  rpc,
  more = "",
  products = [],
}: WorldOptions) {
  const anvil = await startAnvil();
  const factories = {
    allowed: await anvil.deploy("TestWalletFactory"),
    other: await anvil.deploy("TestWalletFactory"),
  };
  const { key, account } = await anvil.newAccount(gas);
  worlds += 1;
  const variable = `TEST_ENGINE_GAS_KEY_${worlds}`;
  process.env[variable] = key;
  const facilitator = kind === "remote" ? await startEvmFacilitator(anvil, [factories.allowed]) : null;
  const seller = (await anvil.newAccount()).account.address;
  const table = facilitator
    ? `kind = "remote"\nurl = "${facilitator.url}"\nclaims_max = ${claims_max}`
    : `kind = "embedded"\nnetworks = ["${NETWORK}"]\ngas_key_env = "${variable}"\n` +
      `eip6492_factories = ["${factories.allowed}"]\n${entry}`;
  let log = "";
  const hooks = { between: (): unknown => undefined };
  const config =
    `[wallets.base]\npay_to = "${seller}"\n[chains.base]\nrpc = ["${rpc?.(anvil.url) ?? anvil.url}"]\n` +
    `[payments]\nsettle_timeout = "${settle_timeout}"\n[[facilitators]]\n${table}\n${more}`;
  const node = await startEngineNode(config, {
    products,
    produce: async () => {
      const { between } = hooks;
      hooks.between = () => undefined;
      await between();
    },
    write: (text) => {
      log += text;
    },
  });
  return {
    anvil,
    seller,
    node,
    origin: node.url,
    url: `${node.url}/one`,
    facilitator,
    factories,
    gas: { key, address: account.address },
    /** Called once, between verify and settle. */
    setBetween: (between: () => unknown) => {
      hooks.between = between;
    },
    log: () => log,
    async stop() {
      delete process.env[variable];
      await node.stop();
      await facilitator?.stop();
      await anvil.stop();
    },
  };
}
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Whoever can sign typed data for an address. */
export interface Signer {
  readonly address: Address;
  readonly signTypedData: PrivateKeyAccount["signTypedData"];
}

/** A payment as the official client sends it. */
export interface Whole {
  readonly accepted: Record<string, unknown>;
  readonly payload: {
    readonly signature: Hex;
    readonly authorization: {
      readonly from: Address;
      readonly to: Address;
      readonly value: string;
      readonly validAfter: string;
      readonly validBefore: string;
      readonly nonce: Hex;
    };
  };
}

const clientOf = (signer: Signer) => new x402Client().register("eip155:*", new ExactEvmScheme(signer));
export const pay = (signer: Signer): typeof fetch => wrapFetchWithPayment(fetch, clientOf(signer)) as typeof fetch;
export const send = (url: string, whole: unknown) =>
  fetch(url, { headers: { "PAYMENT-SIGNATURE": encodeHeader(whole) } });

/** The payment the official client would send. */
export async function sign({ url }: World, signer: Signer): Promise<Whole> {
  const challenge = decodePaymentRequiredHeader((await fetch(url)).headers.get("PAYMENT-REQUIRED") ?? "");
  return (await clientOf(signer).createPaymentPayload(challenge)) as unknown as Whole;
}

export async function newBuyer(anvil: Anvil, amount = 1_000_000n): Promise<PrivateKeyAccount> {
  const { account } = await anvil.newAccount(10n ** 18n);
  await anvil.mint(account.address, amount);
  return account;
}

/** A contract wallet of one owner, who signs for it. */
export const walletOf = (
  address: Address,
  owner: PrivateKeyAccount,
  wrap: (inner: Hex) => Hex = (inner) => inner,
): Signer => ({
  address,
  signTypedData: async (typed) => wrap(concat(["0x00", await owner.signTypedData(typed)])),
});

/** A contract wallet that says yes to everything, after 260,000 gas: 10,000 rounds of a loop. */
const BURNING = "0x620027105b6001900380600457631626ba7e60e01b60005260206000f3";

/** Puts it at an address of these two digits, with money. */
export async function deployBurning(anvil: Anvil, digits: string): Promise<Address> {
  const address = `0x${digits.repeat(20)}` as const;
  const call = { jsonrpc: "2.0", id: 1, method: "anvil_setCode", params: [address, BURNING] };
  const headers = { "content-type": "application/json" };
  await fetch(anvil.url, { method: "POST", headers, body: JSON.stringify(call) });
  await anvil.mint(address, 1_000_000n);
  return address;
}

/** Without 0x. */
export const split = (signature: Hex) => ({
  r: signature.slice(2, 66),
  s: signature.slice(66, 130),
  v: hexToNumber(`0x${signature.slice(130)}`),
});

/** Takes an authorization back, as its payer may. */
export async function cancel(anvil: Anvil, account: PrivateKeyAccount, nonce: Hex): Promise<void> {
  const signature = await account.signTypedData({
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: USDC },
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "CancelAuthorization",
    message: { authorizer: account.address, nonce },
  });
  const { r, s, v } = split(signature);
  const args = [account.address, nonce, v, `0x${r}`, `0x${s}`] as const;
  const call = { address: USDC, abi: USDC_ABI, functionName: "cancelAuthorization", args } as const;
  await anvil.mined(await anvil.wallet.writeContract(call));
}

/** Uses an authorization, as anybody may who has seen it. */
export async function submit(anvil: Anvil, { payload: { signature, authorization } }: Whole): Promise<Hex> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature] as const;
  const call = { address: USDC, abi: USDC_ABI, functionName: "transferWithAuthorization", args } as const;
  const { transactionHash } = await anvil.mined(await anvil.wallet.writeContract(call));
  return transactionHash;
}

const RETRY_PAUSE_MS = 500;
/** Sends the same payment again until it is neither unknown nor being worked on. */
export async function sendUntilKnown({ url }: World, whole: unknown): Promise<Response> {
  let response = await send(url, whole);
  const isKnown = async (): Promise<boolean> => {
    if (response.status !== 503 && response.status !== 409) return true;
    await Bun.sleep(RETRY_PAUSE_MS);
    response = await send(url, whole);
    return false;
  };
  await until(isKnown, "a word on the payment", 0);
  return response;
}
