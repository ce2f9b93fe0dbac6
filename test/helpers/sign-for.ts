import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { x402Client } from "@x402/fetch";
import type { PrivateKeyAccount } from "viem/accounts";

/** The PAYMENT-SIGNATURE value the official client would send after this 402. */
export async function createPaymentPayload(challenge: Response, account: PrivateKeyAccount): Promise<string> {
  const header = challenge.headers.get("PAYMENT-REQUIRED");
  if (challenge.status !== 402 || !header) throw new Error(`no challenge: ${challenge.status}`);
  await challenge.body?.cancel();
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(account));
  return encodePaymentSignatureHeader(await client.createPaymentPayload(decodePaymentRequiredHeader(header)));
}
