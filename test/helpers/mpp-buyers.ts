import { Challenge, Credential } from "mppx";
import { evm } from "mppx/evm/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { noteSecret } from "./secrets.ts";

type Signed = Omit<Challenge.Challenge, "meta">;

/** Somebody with a wallet on Base who answers challenges of MPP with the official client's own code. */
export interface MppBuyer {
  readonly address: string;
  /** The official client's method, for its own clients. */
  readonly method: ReturnType<typeof evm.charge>;
  /** Asks what a call costs. */
  readonly ask: (url: string, init?: RequestInit) => Promise<Signed>;
  /** Value of Authorization for a challenge. */
  readonly answer: (challenge: Signed) => Promise<string>;
}

export function createMppBuyer(): MppBuyer {
  const key = generatePrivateKey();
  noteSecret(key);
  const account = privateKeyToAccount(key);
  const method = evm.charge({ account, currencies: [evm.assets.baseSepolia.USDC] });
  return {
    address: account.address,
    method,
    async ask(url, init = {}) {
      const response = await fetch(url, init);
      await response.body?.cancel();
      return Challenge.fromResponse(response);
    },
    answer: (challenge) => method.createCredential({ challenge: challenge as never, context: {} }),
  };
}

interface Payload {
  readonly type: "authorization";
  readonly signature: string;
  readonly [name: string]: string;
}

/** The credential of a header, as its parts. */
export const readCredential = (header: string) => Credential.deserialize<Payload>(header);

/** The same money as a payment by x402. */
export function toX402Payment(header: string, accepted: unknown) {
  const { signature, type: _, ...authorization } = readCredential(header).payload;
  return { x402Version: 2, accepted, payload: { signature, authorization } };
}

/** A header whose credential says something else. */
export const writeCredential = (credential: object): string =>
  `Payment ${Buffer.from(JSON.stringify(credential)).toString("base64url")}`;

/** The credential as it stands in the header: the challenge's request as text. */
export const decodeHeader = (header: string) =>
  JSON.parse(Buffer.from(header.slice("Payment ".length), "base64url").toString()) as {
    readonly challenge: Readonly<Record<string, string>>;
    readonly payload: Payload;
    readonly source?: string;
  };
