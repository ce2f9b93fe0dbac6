import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Hex } from "viem";
import { createLRU } from "../../../core/lru.ts";
import { assertKeyBytes } from "../../../core/secrets.ts";
import {
  CHANNEL_TYPES,
  type ChannelConfig,
  COLLECTOR,
  channelDomain,
  NO_ADDRESS,
  RECEIVE_WITH_AUTHORIZATION,
} from "../../channels/contract.ts";
import type { ChannelPayload, Voucher } from "../../channels/payload.ts";
import type { Network } from "../table.ts";
import { isTakenByContracts, usdcDomain } from "./check-signature.ts";
import { toKeySignature } from "./key-signature.ts";
import { recoverSigner } from "./recover.ts";

const IDS_MAX = 10_000;
const WORD_CHARS = 64;
const chainOf = (network: Network): number => network.eip712?.chain_id ?? 0;
const ids = createLRU<string>(IDS_MAX);

/** A configuration in the one form that equal ones have. */
export const renderConfig = (config: ChannelConfig): string =>
  JSON.stringify({
    payer: config.payer.toLowerCase(),
    payerAuthorizer: config.payerAuthorizer.toLowerCase(),
    receiver: config.receiver.toLowerCase(),
    receiverAuthorizer: config.receiverAuthorizer.toLowerCase(),
    token: config.token.toLowerCase(),
    withdrawDelay: config.withdrawDelay,
    salt: config.salt.toLowerCase(),
  });

/** What a channel is called: the hash of its configuration, on its chain. */
export async function channelIdOf(config: ChannelConfig, network: Network): Promise<string> {
  const text = renderConfig(config);
  const name = `${network.id} ${text}`;
  const known = ids.get(name);
  if (known !== undefined) return known;
  const { hashTypedData } = await import("./viem.ts");
  // In lower case, so that no checksum of an address is looked at.
  const message = JSON.parse(text) as { readonly [K in keyof ChannelConfig]: never };
  const domain = channelDomain(chainOf(network));
  const id = hashTypedData({ domain, types: CHANNEL_TYPES, primaryType: "ChannelConfig", message }).toLowerCase();
  ids.set(name, id);
  return id;
}

const keccakHex = (hex: string): string => Buffer.from(keccak_256(Buffer.from(hex, "hex"))).toString("hex");
const word = (amount: bigint): string => amount.toString(16).padStart(WORD_CHARS, "0");
const VOUCHER_TYPE = keccakHex(Buffer.from("Voucher(bytes32 channelId,uint128 maxClaimableAmount)").toString("hex"));
/** What the messages of one chain begin with: the EIP-712 domain of its contract, hashed. */
const separators = new Map<string, string>();

/** What a voucher signs, as `hashTypedData` says, which takes six times as long: it is done for every call. */
async function hashVoucher(id: string, amount: bigint, network: Network): Promise<string> {
  let separator = separators.get(network.id);
  if (separator === undefined) {
    const { domainSeparator } = await import("./viem.ts");
    separator = domainSeparator({ domain: channelDomain(chainOf(network)) }).slice(2);
    separators.set(network.id, separator);
  }
  return `0x${keccakHex(`1901${separator}${keccakHex(`${VOUCHER_TYPE}${id.slice(2)}${word(amount)}`)}`)}`;
}

/**
 * Whether a voucher is signed by whom its channel names. "ask": by a contract wallet, which only the chain can tell.
 */
export async function checkVoucher(
  { channelId, maxClaimableAmount, signature }: Voucher,
  { payer, payerAuthorizer }: Pick<ChannelConfig, "payer" | "payerAuthorizer">,
  network: Network,
): Promise<"yes" | "no" | "ask"> {
  const by_contract = payerAuthorizer === NO_ADDRESS;
  const otherwise = by_contract ? "ask" : "no";
  const key_signature = toKeySignature(signature);
  if (key_signature === null) return otherwise;
  const digest = await hashVoucher(channelId, BigInt(maxClaimableAmount), network);
  const signer = await recoverSigner(digest, key_signature);
  const expected = by_contract ? payer : payerAuthorizer;
  if (signer !== expected.toLowerCase()) return otherwise;
  // In a form that the contract refuses it could never be claimed.
  return isTakenByContracts(key_signature) ? "yes" : "no";
}

/** What a deposit signs: EIP-3009, with a nonce that binds it to its channel. */
async function hashDeposit(payload: ChannelPayload & { readonly type: "deposit" }, network: Network): Promise<string> {
  const { hashTypedData } = await import("./viem.ts");
  const { channelConfig, voucher, deposit } = payload;
  const { validAfter, validBefore, salt } = deposit.authorization.erc3009Authorization;
  return hashTypedData({
    domain: usdcDomain(network),
    types: RECEIVE_WITH_AUTHORIZATION,
    primaryType: "ReceiveWithAuthorization",
    message: {
      from: channelConfig.payer.toLowerCase() as Hex,
      to: COLLECTOR,
      value: BigInt(deposit.amount),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: `0x${keccakHex(`${voucher.channelId.slice(2)}${salt.slice(2)}`)}`,
    },
  });
}

/**
 * A channel's payload with what keys signed in the spelling that contracts take: vouchers are claimed, and told from
 * each other, by these bytes. A contract wallet's signature is left as it came, as is one without a known signer.
 */
export async function renderKeySignedChannel<T extends ChannelPayload>(payload: T, network: Network): Promise<T> {
  const { channelConfig, voucher } = payload;
  const respell = async (signature: string, signer: string, hash: () => Promise<string>): Promise<string> => {
    const spelled = toKeySignature(signature) ?? signature;
    if (spelled === signature) return signature;
    return (await recoverSigner(await hash(), spelled)) === signer.toLowerCase() ? spelled : signature;
  };
  const { payer, payerAuthorizer } = channelConfig;
  const by = payerAuthorizer === NO_ADDRESS ? payer : payerAuthorizer;
  const amount = BigInt(voucher.maxClaimableAmount);
  const signature = await respell(voucher.signature, by, () => hashVoucher(voucher.channelId, amount, network));
  const respelled = signature === voucher.signature ? payload : { ...payload, voucher: { ...voucher, signature } };
  if (respelled.type !== "deposit") return respelled;
  const { erc3009Authorization: sent } = respelled.deposit.authorization;
  const own = await respell(sent.signature, payer, () => hashDeposit(respelled, network));
  if (own === sent.signature) return respelled;
  const authorization = { erc3009Authorization: { ...sent, signature: own } };
  return { ...respelled, deposit: { ...respelled.deposit, authorization } };
}

/** A voucher as a claim of its channel. */
export interface Claim {
  readonly channel: ChannelConfig;
  readonly id: string;
  /** What the payer signed, and how. */
  readonly signed: bigint;
  readonly signature: string;
  /** What of it is claimed. */
  readonly total: bigint;
}

/** Signs claims and refunds as their receiver's authorizer. */
export interface Authorizer {
  readonly address: string;
  signClaims(claims: readonly Claim[], network: Network): Promise<string>;
  signRefund(
    refund: { readonly id: string; readonly nonce: bigint; readonly amount: bigint },
    network: Network,
  ): Promise<string>;
}

/** Order of the curve: a secret above it is no key. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** @param secret 32 bytes. */
export async function createAuthorizer(secret: Uint8Array): Promise<Authorizer> {
  assertKeyBytes(secret, "channels");
  const { privateKeyToAccount } = await import("viem/accounts");
  const number = (BigInt(`0x${Buffer.from(secret).toString("hex")}`) % (ORDER - 1n)) + 1n;
  const account = privateKeyToAccount(`0x${number.toString(16).padStart(64, "0")}`);
  const common = (network: Network) => ({ domain: channelDomain(chainOf(network)), types: CHANNEL_TYPES });
  return {
    address: account.address,
    signClaims: (claims, network) => {
      const entries = claims.map(({ id, signed, total }) => ({
        channelId: id as Hex,
        maxClaimableAmount: signed,
        totalClaimed: total,
      }));
      return account.signTypedData({ ...common(network), primaryType: "ClaimBatch", message: { claims: entries } });
    },
    signRefund: ({ id, nonce, amount }, network) =>
      account.signTypedData({
        ...common(network),
        primaryType: "Refund",
        message: { channelId: id as Hex, nonce, amount },
      }),
  };
}
