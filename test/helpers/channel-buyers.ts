import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from "@x402/core/http";
import type { PaymentPayload } from "@x402/core/types";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createPublicClient, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { encodeHeader } from "../../src/payments/codec.ts";
import { type ListenerOptions, type MoneyNode, startMoneyNode } from "./money-node.ts";

export const NETWORK = "eip155:84532";
const CHANNELS = '[payments.channels]\nenabled = true\nclaim_sum = "1000"\nunclaimed_max = "0.2"\n';

/** A node whose first round of claims is over: what follows is the test's. `more` of its configuration are tables. */
export async function startChannelNode(options: ListenerOptions = {}, more = ""): Promise<MoneyNode> {
  const own = await startMoneyNode(`${CHANNELS}${more}`, undefined, { timeout: "5s", ...options });
  await own.node.runChannels();
  return own;
}

/** Somebody who pays with the official client, and nothing else. */
export function createBuyer({ sandbox }: Pick<MoneyNode, "sandbox">) {
  const account = privateKeyToAccount(generatePrivateKey());
  const chain = createPublicClient({ transport: http(sandbox.rpcUrl("base_sepolia")) });
  const signer = { ...account, readContract: (args: never) => chain.readContract(args) };
  const start = () => {
    const scheme = new BatchSettlementEvmScheme(signer as never);
    const client = new x402Client().register("eip155:*", scheme);
    return { scheme, client, buy: wrapFetchWithPayment(fetch, client) };
  };
  return { ...start(), restart: start, account, address: account.address.toLowerCase() };
}
export type ChannelBuyer = ReturnType<typeof createBuyer>;

/** The payment the official client makes for a URL, unsent. */
export async function sign({ client }: Pick<ChannelBuyer, "client">, url: string): Promise<PaymentPayload> {
  const challenge = await fetch(url);
  const required = decodePaymentRequiredHeader(challenge.headers.get("PAYMENT-REQUIRED") ?? "");
  return client.createPaymentPayload({
    ...required,
    accepts: required.accepts.filter(({ scheme }) => scheme === "batch-settlement"),
  });
}
export const send = (url: string, payment: object, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { "PAYMENT-SIGNATURE": encodeHeader(payment), ...headers } });
/** As the same payment with something of its payload changed. */
export const withPayload = (payment: PaymentPayload, change: object) => ({
  ...payment,
  payload: { ...payment.payload, ...change },
});

export const settlementOf = (response: Response) =>
  decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "") as ReturnType<
    typeof decodePaymentResponseHeader
  > & { readonly extra?: { readonly chargedAmount?: string; readonly channelState: Record<string, string> } };
export const errorOf = (response: Response): string =>
  decodePaymentRequiredHeader(response.headers.get("PAYMENT-REQUIRED") ?? "").error ?? "";
