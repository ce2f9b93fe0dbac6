import type { PrivateKeyAccount } from "viem/accounts";
import {
  CHANNEL_TYPES,
  type ChannelConfig,
  COLLECTOR,
  channelDomain,
  RECEIVE_WITH_AUTHORIZATION,
  SCHEME,
} from "../payments/channels/contract.ts";
import { encodeHeader } from "../payments/codec.ts";
import { channelIdOf } from "../payments/networks/evm/channel-signing.ts";
import { usdcDomain } from "../payments/networks/evm/check-signature.ts";
import { networkById } from "../payments/networks/table.ts";
import type { Requirement } from "../payments/types.ts";

/** How long a deposit can be taken. */
export const DEPOSIT_VALID_S = 300;

/** A payment channel to one seller, as its buyer has it. Payments are values of PAYMENT-SIGNATURE. */
export interface BuyerChannel {
  readonly id: string;
  readonly pay_to: string;
  /** Of one call, atomic units. */
  readonly price: bigint;
  readonly config: ChannelConfig;
  /**
   * Puts money in, and pays for a call: all that was signed so far, with its price.
   * @param until_s when it can be taken no more, Unix seconds; left out: in five minutes.
   */
  deposit(amount: bigint, total: bigint, until_s?: number): Promise<string>;
  /** Pays for a call and touches no chain. */
  pay(total: bigint): Promise<string>;
  /** Asks for all that is not earned. @param total what was charged. */
  refund(total: bigint): Promise<string>;
}

interface ChannelTerms {
  readonly now_ms: () => number;
  /** Of a channel that is open; left out: a new one, with its own salt. */
  readonly config?: ChannelConfig | undefined;
}

const asHex = (text: string) => text as `0x${string}`;
const randomHex = () => asHex(`0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`);

/** @param accepts what a 402 offers. @returns a channel on those terms, unopened; null where it offers none. */
export async function createBuyerChannel(
  account: PrivateKeyAccount,
  accepts: readonly Requirement[],
  now_ms: () => number,
): Promise<BuyerChannel | null> {
  const accepted = accepts.find(({ scheme }) => scheme === SCHEME);
  return accepted === undefined ? null : openBuyerChannel(account, accepted, { now_ms });
}

/** @param accepted the entry of a 402 that offers channels. @returns null where it is on no network that is known. */
export async function openBuyerChannel(
  account: PrivateKeyAccount,
  accepted: Requirement,
  { now_ms, config }: ChannelTerms,
): Promise<BuyerChannel | null> {
  const network = networkById(accepted.network);
  if (!network) return null;
  const { encodeAbiParameters, keccak256, parseAbiParameters } = await import("viem");
  const channelConfig: ChannelConfig = config ?? {
    payer: account.address,
    payerAuthorizer: account.address,
    receiver: accepted.payTo,
    receiverAuthorizer: String(accepted.extra.receiverAuthorizer),
    token: accepted.asset,
    withdrawDelay: Number(accepted.extra.withdrawDelay),
    salt: randomHex(),
  };
  const id = await channelIdOf(channelConfig, network);
  const signVoucher = async (total: bigint) => ({
    channelId: id,
    maxClaimableAmount: total.toString(),
    signature: await account.signTypedData({
      domain: channelDomain(network.eip712?.chain_id ?? 0),
      types: CHANNEL_TYPES,
      primaryType: "Voucher",
      message: { channelId: asHex(id), maxClaimableAmount: total },
    }),
  });
  const render = (payload: object): string => encodeHeader({ x402Version: 2, accepted, payload });
  return {
    id,
    pay_to: accepted.payTo,
    price: BigInt(accepted.amount),
    config: channelConfig,
    async deposit(amount, total, until_s = Math.floor(now_ms() / 1000) + DEPOSIT_VALID_S) {
      const salt = randomHex();
      const validBefore = BigInt(until_s);
      const nonce = keccak256(encodeAbiParameters(parseAbiParameters("bytes32, uint256"), [asHex(id), BigInt(salt)]));
      const signature = await account.signTypedData({
        domain: usdcDomain(network),
        types: RECEIVE_WITH_AUTHORIZATION,
        primaryType: "ReceiveWithAuthorization",
        message: { from: account.address, to: COLLECTOR, value: amount, validAfter: 0n, validBefore, nonce },
      });
      const erc3009Authorization = { validAfter: "0", validBefore: `${validBefore}`, salt, signature };
      const deposit = { amount: amount.toString(), authorization: { erc3009Authorization } };
      return render({ type: "deposit", channelConfig, voucher: await signVoucher(total), deposit });
    },
    pay: async (total) => render({ type: "voucher", channelConfig, voucher: await signVoucher(total) }),
    refund: async (total) => render({ type: "refund", channelConfig, voucher: await signVoucher(total) }),
  };
}
