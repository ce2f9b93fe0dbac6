import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { x402Client, x402HTTPClient } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { createSIWxClientHook, createSIWxMessage, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { wrapFetchWithPayment } from "@x402/fetch";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { Payer } from "./payers.ts";

/** Somebody with a wallet who pays, and who signs in with what the official package has for it. */
export interface WalletUser extends Payer {
  readonly address: string;
  /** Signs in at a door with the official client. */
  readonly open: (url: string) => Promise<Response>;
  /** Signs any text of the extension, also one no door asked for. */
  readonly signText: (info: SignedInfo) => Promise<string>;
}

/** What a client signs and sends, before it is encoded. */
export interface SignedInfo {
  domain: string;
  uri: string;
  version: string;
  nonce: string;
  issuedAt: string;
  expirationTime?: string;
  notBefore?: string;
  requestId?: string;
  statement?: string;
  resources?: string[];
  chainId: string;
  type: "eip191" | "ed25519";
}

const BASE = "eip155:84532";
const SOLANA = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";

type Signer = Parameters<typeof createSIWxClientHook>[0];
const openWith = (client: x402Client, signer: Signer): WalletUser["open"] =>
  wrapFetchWithPayment(fetch, new x402HTTPClient(client).onPaymentRequired(createSIWxClientHook(signer)));

export function newEvmUser(account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())): WalletUser {
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(account));
  return {
    network: BASE,
    client,
    address: account.address,
    open: openWith(client, account),
    signText: (info) => account.signMessage({ message: createSIWxMessage(info, account.address) }),
  };
}

export async function newSolanaUser(rpcUrl: string): Promise<WalletUser> {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
  const client = new x402Client().register("solana:*", new ExactSvmScheme(signer, { rpcUrl }));
  const { base58 } = await import("@scure/base");
  return {
    network: SOLANA,
    client,
    address: signer.address,
    open: openWith(client, signer as unknown as Signer),
    async signText(info) {
      const content = new TextEncoder().encode(createSIWxMessage(info, signer.address));
      const [signatures] = await signer.signMessages([{ content, signatures: {} }]);
      return base58.encode(new Uint8Array(Object.values(signatures ?? {})[0] ?? []));
    },
  };
}

interface Demand {
  readonly info: Omit<SignedInfo, "chainId" | "type">;
  readonly supportedChains: readonly { readonly chainId: string; readonly type: "eip191" | "ed25519" }[];
}

/** What a door asks a wallet of a network to sign. */
export async function readDemand(url: string, network: string): Promise<SignedInfo> {
  const response = await fetch(url);
  const body = (await response.json()) as { readonly extensions: Readonly<Record<string, Demand>> };
  const demand = body.extensions["sign-in-with-x"];
  const chain = demand?.supportedChains.find(({ chainId }) => chainId === network);
  if (response.status !== 402 || !demand || !chain) throw new Error(`no sign-in is asked for: ${response.status}`);
  return { ...demand.info, ...chain };
}

/** The header of a signed text. */
export const renderSignInHeader = (
  sent: SignedInfo & { readonly address: string; readonly signature: string },
): string => encodeSIWxHeader(sent as Parameters<typeof encodeSIWxHeader>[0]);
