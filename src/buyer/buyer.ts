import { listMPPChallenges } from "../challenge-reader/mpp-terms.ts";
import { decodeChallengeHeader } from "../challenge-reader/read-challenge.ts";
import { keccak256Hex } from "../core/hash.ts";
import type { ChannelConfig } from "../payments/channels/contract.ts";
import { encodeHeader } from "../payments/codec.ts";
import { TRANSFER_WITH_AUTHORIZATION, usdcDomain } from "../payments/networks/evm/check-signature.ts";
import { evmTextSigning } from "../payments/networks/evm/sign-in.ts";
import { networkById } from "../payments/networks/table.ts";
import { renderSignInText, SIGN_IN_EXTENSION, type SignInInfo } from "../payments/sign-in/sign-in-text.ts";
import type { Requirement } from "../payments/types.ts";
import { type BuyerChannel, createBuyerChannel, openBuyerChannel } from "./channel-buyer.ts";
import { signUpto } from "./sign-upto.ts";

/** What a 402 asked for, as far as the tour needs it. */
export interface PeerChallenge {
  readonly header: string;
  readonly amount: string;
  readonly network: string;
  readonly payTo: string;
  readonly accepted: Record<string, unknown>;
}

export interface PeerPayment {
  readonly header: string;
  readonly signature: string;
}

/** A challenge of MPP as in a 402: its parameters, its request still encoded. */
export type MPPChallenge = Readonly<Record<string, string>>;

/** An answer to one: value of Authorization, and the same money as a payment by x402. */
export interface MPPAnswer {
  readonly credential: string;
  readonly payload: { readonly signature: string; readonly authorization: Readonly<Record<string, string>> };
}

/** A wallet on Base that reads a 402 and signs what it asks for, as any client of x402 or MPP does. */
export interface Buyer {
  readonly address: string;
  readChallenge(response: Response): PeerChallenge;
  sign(challenge: PeerChallenge): Promise<PeerPayment>;
  /** Signs the most that an entry of scheme `upto` asks for: a value of PAYMENT-SIGNATURE. */
  signUpto(accepted: Requirement): Promise<string>;
  /** The header SIGN-IN-WITH-X for the door that answered so. */
  signIn(response: Response): Promise<string>;
  /** @throws Error when the 402 cannot be paid by MPP on a chain with contracts. */
  readMPPChallenge(response: Response): MPPChallenge;
  answer(challenge: MPPChallenge): Promise<MPPAnswer>;
  /** A new channel on the terms of a 402; null where it offers none. */
  offerChannel(response: Response): Promise<BuyerChannel | null>;
  /** A channel on the terms of an entry of a 402: the one of this configuration, or a new one. */
  channelOf(accepted: Requirement, config?: ChannelConfig): Promise<BuyerChannel | null>;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/**
 * @param key private key, 0x and 64 hex digits; a throw-away one when it is null.
 * @throws Error when the key is invalid.
 */
/** What a door asks to be signed, as far as it is needed to sign it. */
interface SignInDemand {
  readonly info: SignInInfo;
  readonly supportedChains: readonly { readonly chainId: string; readonly type: string }[];
}
function readDemand(response: Response): SignInDemand {
  const decoded = decodeChallengeHeader(response.headers.get("PAYMENT-REQUIRED"));
  const extensions = isRecord(decoded) && isRecord(decoded.extensions) ? decoded.extensions : {};
  const demand = extensions[SIGN_IN_EXTENSION];
  if (!isRecord(demand)) throw new Error("the 402 asks for no signature");
  return demand as unknown as SignInDemand;
}

export async function createBuyer(now_ms: () => number, key: string | null = null): Promise<Buyer> {
  const { generatePrivateKey, privateKeyToAccount } = await import("viem/accounts");
  const account = privateKeyToAccount((key as `0x${string}` | null) ?? generatePrivateKey());
  /** EIP-3009, from now on until a time. */
  const authorize = async (network: string, wanted: { to: string; amount: string; nonce: string; until_s: number }) => {
    const known = networkById(network);
    if (!known) throw new Error(`no payment is known on ${network}`);
    const { to, amount, nonce, until_s } = wanted;
    const signature = await account.signTypedData({
      domain: usdcDomain(known),
      types: TRANSFER_WITH_AUTHORIZATION,
      primaryType: "TransferWithAuthorization",
      message: {
        from: account.address,
        to: to as `0x${string}`,
        nonce: nonce as `0x${string}`,
        value: BigInt(amount),
        validAfter: 0n,
        validBefore: BigInt(until_s),
      },
    });
    const times = { validAfter: "0", validBefore: String(until_s) };
    return { signature, authorization: { from: account.address, to, value: amount, ...times, nonce } };
  };
  return {
    address: account.address,
    readChallenge(response) {
      const header = response.headers.get("PAYMENT-REQUIRED") ?? "";
      const decoded = decodeChallengeHeader(header);
      const accepts = isRecord(decoded) && Array.isArray(decoded.accepts) ? decoded.accepts : [];
      const accepted: unknown = accepts.find((one) => isRecord(one) && String(one.network).startsWith("eip155:"));
      if (!isRecord(accepted)) throw new Error("the 402 offers no payment on Base");
      const { amount, network, payTo } = accepted;
      return { header, amount: String(amount), network: String(network), payTo: String(payTo), accepted };
    },
    async signIn(response) {
      const { info, supportedChains } = readDemand(response);
      const chain = supportedChains.find(({ type }) => type === evmTextSigning.type);
      const network = networkById(chain?.chainId ?? "");
      if (!chain || !network) throw new Error("no wallet on Base can sign in");
      const { address } = account;
      const by = { signing: evmTextSigning, chain: evmTextSigning.chainOf(network), address };
      const signature = await account.signMessage({ message: renderSignInText(info, by) });
      return encodeHeader({ ...info, ...chain, address, signature });
    },
    async sign({ amount, network, payTo, accepted }) {
      const nonce = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`;
      const until_s = Math.floor(now_ms() / 1000) + 300;
      const payload = await authorize(network, { to: payTo, amount, nonce, until_s });
      return { signature: payload.signature, header: encodeHeader({ x402Version: 2, accepted, payload }) };
    },
    signUpto: (accepted) => signUpto(account, accepted, now_ms()),
    readMPPChallenge(response) {
      const [found] = listMPPChallenges(response.headers);
      if (!found) throw new Error("the 402 offers no payment by MPP with method evm");
      return found;
    },
    async answer(challenge) {
      const { id = "", realm = "", request = "", expires = "" } = challenge;
      const wanted: unknown = JSON.parse(Buffer.from(request, "base64url").toString("utf8"));
      const { amount, recipient, methodDetails } = isRecord(wanted) ? wanted : {};
      const chain_id = isRecord(methodDetails) ? methodDetails.chainId : undefined;
      const payload = await authorize(`eip155:${chain_id}`, {
        to: String(recipient),
        amount: String(amount),
        nonce: `0x${keccak256Hex(`${id}${realm}`)}`,
        until_s: Math.floor(Date.parse(expires) / 1000),
      });
      const { signature, authorization } = payload;
      const proof = { type: "authorization", ...authorization, signature };
      const source = `did:pkh:eip155:${chain_id}:${account.address}`;
      const text = JSON.stringify({ challenge, payload: proof, source });
      return { credential: `Payment ${Buffer.from(text).toString("base64url")}`, payload };
    },
    async offerChannel(response) {
      // The body: in the header there is not always room for all.
      const body: unknown = await response.json();
      const accepts = isRecord(body) && Array.isArray(body.accepts) ? body.accepts : [];
      return createBuyerChannel(account, accepts as readonly Requirement[], now_ms);
    },
    channelOf: (accepted, config) => openBuyerChannel(account, accepted, { now_ms, config }),
  };
}
