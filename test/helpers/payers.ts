import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { toClientAvmSigner } from "@x402/avm";
import { ExactAvmScheme } from "@x402/avm/exact/client";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { x402Client } from "@x402/fetch";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { encodeHeader } from "../../src/payments/codec.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { createAlgorandTestPayer } from "../../src/sandbox/test-payer-algorand.ts";

/** Somebody who pays on one network with the official client. */
export interface Payer {
  readonly network: string;
  readonly client: x402Client;
}

/** Networks that the sandbox settles, each with a payer of its own kind. */
export const PAYERS: readonly { readonly network: string; readonly newPayer: (url: string) => Promise<Payer> }[] = [
  {
    network: "eip155:84532",
    newPayer: async () => {
      const scheme = new ExactEvmScheme(privateKeyToAccount(generatePrivateKey()));
      return { network: "eip155:84532", client: new x402Client().register("eip155:*", scheme) };
    },
  },
  {
    network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    newPayer: async (url) => {
      const { solana_rpc } = (await (await fetch(`${url}/__sandbox`)).json()) as { solana_rpc: string };
      const signer = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
      const client = new x402Client().register("solana:*", new ExactSvmScheme(signer, { rpcUrl: solana_rpc }));
      return { network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", client };
    },
  },
  {
    network: "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe",
    newPayer: async (url) => {
      const { algod: algodUrl } = (await (await fetch(`${url}/__sandbox`)).json()) as { algod: string };
      const { secret } = await createAlgorandTestPayer(crypto.getRandomValues(new Uint8Array(32)));
      const signer = toClientAvmSigner(Buffer.from(secret).toString("base64"));
      const client = new x402Client().register("algorand:*", new ExactAvmScheme(signer, { algodUrl }));
      return { network: "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe", client };
    },
  },
];

/** Headers of one newly signed payment for a URL, in a protocol version. */
export async function payFor(url: string, payer: Payer, protocol: 1 | 2): Promise<Record<string, string>> {
  const challenge = await fetch(url);
  const header = challenge.headers.get("PAYMENT-REQUIRED");
  if (challenge.status !== 402 || !header) throw new Error(`no challenge: ${challenge.status}`);
  const required = decodePaymentRequiredHeader(header);
  const accepts = required.accepts.filter(({ network }) => network === payer.network);
  const whole = await payer.client.createPaymentPayload({ ...required, accepts });
  if (protocol === 2) return { "PAYMENT-SIGNATURE": encodeHeader(whole) };
  // What a client of version 1 signs is the same; only its wrapping differs.
  const network = networkById(payer.network)?.v1_name;
  return { "X-PAYMENT": encodeHeader({ x402Version: 1, scheme: "exact", network, payload: whole.payload }) };
}

/** The versions a network can be paid in. */
export const protocolsOf = (network: string): readonly (1 | 2)[] =>
  networkById(network)?.v1_name === null ? [2] : [1, 2];
