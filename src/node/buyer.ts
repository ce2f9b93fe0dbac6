import { encodeHeader } from "../payments/codec.ts";
import { TRANSFER_WITH_AUTHORIZATION, usdcDomain } from "../payments/networks/evm/check-signature.ts";
import { networkById } from "../payments/networks/table.ts";

/** What a 402 asked for, as far as the tour needs it. */
export interface Challenge {
  readonly header: string;
  readonly amount: string;
  readonly network: string;
  readonly payTo: string;
  readonly accepted: Record<string, unknown>;
}

export interface SignedPayment {
  readonly header: string;
  readonly signature: string;
}

/** A wallet on Base that reads a 402 and signs what it asks for, as any x402 client does. */
export interface Buyer {
  readonly address: string;
  readChallenge(response: Response): Challenge;
  sign(challenge: Challenge): Promise<SignedPayment>;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/**
 * @param key private key, 0x and 64 hex digits; a throw-away one when it is left out.
 * @throws Error when the key is none.
 */
export async function createBuyer(now_ms: () => number, key?: string): Promise<Buyer> {
  const { generatePrivateKey, privateKeyToAccount } = await import("viem/accounts");
  const account = privateKeyToAccount((key as `0x${string}` | undefined) ?? generatePrivateKey());
  return {
    address: account.address,
    readChallenge(response) {
      const header = response.headers.get("PAYMENT-REQUIRED") ?? "";
      const decoded: unknown = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
      const accepts = isRecord(decoded) && Array.isArray(decoded.accepts) ? decoded.accepts : [];
      const accepted: unknown = accepts.find((one) => isRecord(one) && String(one.network).startsWith("eip155:"));
      if (!isRecord(accepted)) throw new Error("the 402 offers no payment on Base");
      const { amount, network, payTo } = accepted;
      return { header, amount: String(amount), network: String(network), payTo: String(payTo), accepted };
    },
    async sign({ amount, network, payTo, accepted }) {
      const known = networkById(network);
      if (!known) throw new Error(`no payment is known on ${network}`);
      const nonce = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}` as const;
      const validBefore = Math.floor(now_ms() / 1000) + 300;
      const to = payTo as `0x${string}`;
      const signature = await account.signTypedData({
        domain: usdcDomain(known),
        types: TRANSFER_WITH_AUTHORIZATION,
        primaryType: "TransferWithAuthorization",
        message: {
          from: account.address,
          to,
          value: BigInt(amount),
          validAfter: 0n,
          validBefore: BigInt(validBefore),
          nonce,
        },
      });
      const authorization = {
        from: account.address,
        to,
        value: amount,
        validAfter: "0",
        validBefore: String(validBefore),
        nonce,
      };
      return {
        signature,
        header: encodeHeader({ x402Version: 2, accepted, payload: { signature, authorization } }),
      };
    },
  };
}
