import { Type } from "@sinclair/typebox";
import type { Hex } from "viem";
import type { Clock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/errors.ts";
import { once } from "../../../core/once.ts";
import { CONTRACT, SCHEME } from "../../../payments/channels/contract.ts";
import { createReader, readMember } from "../../../payments/codec.ts";
import { networkById } from "../../../payments/networks/table.ts";
import { UPTO } from "../../../payments/upto/contract.ts";
import type { Journal } from "../../journal.ts";
import type { ChainView, SandboxChain } from "../types.ts";
import { type ChannelContract, createChannelContract } from "./channel-contract.ts";
import { AUTHORIZER, type ChannelFacilitator, createChannelFacilitator } from "./channel-facilitator.ts";
import { checkExact } from "./check.ts";
import { createEvmRPC } from "./rpc.ts";
import { createUptoFacilitator } from "./upto-facilitator.ts";
import { createUsdc, isAddress } from "./usdc.ts";

const NETWORK = "eip155:84532";
/** The facilitator's signer as /supported names it; it signs nothing here. */
const SIGNER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";

export interface EvmChainOptions {
  readonly clock: Clock;
  readonly journal: Journal;
  /** The most settlements of this chain; further ones are refused, because none is ever forgotten. */
  readonly settlements_max?: number;
}

/** Base Sepolia in memory: one token, real EIP-712 signatures, no gas. */
export function createEvmChain({ clock, journal, settlements_max = 100_000 }: EvmChainOptions): SandboxChain {
  const network = networkById(NETWORK);
  if (!network?.eip712) throw new Error(`${NETWORK} is not in the network table`);
  const usdc = createUsdc({ network: NETWORK, chain_id: network.eip712.chain_id, asset: network.asset, journal });
  // The libraries are loaded with the first use of a channel.
  const contract = once(() => createChannelContract({ network, usdc, journal, now_ms: clock.now }));
  const channels = once(
    async (): Promise<ChannelFacilitator> =>
      createChannelFacilitator({ network, usdc, contract: await contract(), signer: SIGNER }),
  );
  const upto = once(() => createUptoFacilitator({ network, usdc, now_ms: clock.now, signer: SIGNER }));
  const plain_rpc = createEvmRPC({ network, usdc, now_ms: clock.now });
  const rpcOf = ({ now_ms, sees }: ChainView) => {
    const booked = usdc.booked.filter(({ at_ms }) => sees(at_ms));
    const isUsed = (from: string, nonce: string) =>
      booked.some((row) => row.payer === from.toLowerCase() && row.nonce === nonce.toLowerCase());
    return createEvmRPC({ network, usdc: { ...usdc, booked, isUsed }, now_ms });
  };
  /** The channel contract answers calls to it, in its current state. */
  const rpc = async (request: unknown): Promise<unknown> =>
    (await answerContract(request, contract)) ?? plain_rpc(request);
  const check = (payload: unknown, requirement: unknown) =>
    checkExact({ payload, requirement }, { network, usdc, now_ms: clock.now() });

  return {
    network: NETWORK,
    rpc_name: network.chain,
    fund: usdc.fund,
    balances: usdc.balances,
    balanceOf: (address) => (isAddress(address) ? usdc.balanceOf(address) : null),
    settlements: () => usdc.booked.map(({ nonce: _, at_ms: __, permit: ___, ...row }) => row),
    async verify(payload, requirement) {
      const scheme = readMember(requirement, "scheme");
      if (scheme === SCHEME) return (await channels()).verify(payload, requirement);
      if (scheme === UPTO) return (await upto()).verify(payload, requirement);
      const checked = await check(payload, requirement);
      if (checked.ok) return { isValid: true, payer: checked.authorization.from };
      const { reason: invalidReason, payer } = checked;
      return { isValid: false, invalidReason, ...(payer ? { payer } : {}) };
    },
    async settle(payload, requirement) {
      const refuse = (errorReason: string, payer?: string) => {
        return { success: false, errorReason, transaction: "", network: NETWORK, ...(payer ? { payer } : {}) };
      };
      const scheme = readMember(requirement, "scheme");
      if (scheme === SCHEME) return (await channels()).settle(payload, requirement);
      if (scheme === UPTO) {
        if (usdc.booked.length >= settlements_max) return refuse("invalid_upto_evm_transaction_failed");
        return (await upto()).settle(payload, requirement);
      }
      const checked = await check(payload, requirement);
      if (!checked.ok) return refuse(checked.reason, checked.payer);
      // Checked again right before the transfer, without a pause, so that one of two conflicting settles fails.
      const { from, nonce, value } = checked.authorization;
      if (usdc.isUsed(from, nonce)) return refuse("invalid_exact_evm_nonce_already_used", from);
      if (usdc.balanceOf(from) < BigInt(value)) return refuse("invalid_exact_evm_insufficient_balance", from);
      if (usdc.booked.length >= settlements_max) return refuse("invalid_exact_evm_transaction_failed", from);
      const { transaction } = usdc.transfer(checked.authorization, clock.now());
      return { success: true, transaction, network: NETWORK, payer: from };
    },
    async callContract(data, sender) {
      try {
        return (await (await contract()).send(data as Hex, sender)).transaction;
      } catch (error) {
        throw new RangeError(`the contract reverts: ${messageOf(error)}`);
      }
    },
    rpc: (request, view) => (view ? rpcOf(view) : rpc)(request),
    supportedKinds: () => [
      { x402Version: 2, scheme: "exact", network: NETWORK },
      { x402Version: 1, scheme: "exact", network: network.v1_name },
      { x402Version: 2, scheme: SCHEME, network: NETWORK, extra: { receiverAuthorizer: AUTHORIZER } },
      { x402Version: 2, scheme: UPTO, network: NETWORK, extra: { facilitatorAddress: SIGNER } },
    ],
    signers: () => ({ "eip155:*": [SIGNER] }),
  };
}

const readCall = createReader(
  Type.Object({
    id: Type.Optional(Type.Union([Type.Null(), Type.Number(), Type.String({ maxLength: 100 })])),
    method: Type.Union([Type.Literal("eth_call"), Type.Literal("eth_getCode")]),
    params: Type.Array(Type.Unknown(), { minItems: 1 }),
  }),
);
const isContract = (address: unknown): boolean =>
  typeof address === "string" && address.toLowerCase() === CONTRACT.toLowerCase();

/** Null unless this is a call of the channel contract. */
async function answerContract(request: unknown, contract: () => Promise<ChannelContract>): Promise<unknown> {
  const call = readCall(request);
  if (!call) return null;
  const { id = null, method, params } = call;
  if (method === "eth_getCode") return isContract(params[0]) ? { jsonrpc: "2.0", id, result: "0x01" } : null;
  if (!isContract(readMember(params[0], "to"))) return null;
  const data = readMember(params[0], "data") ?? readMember(params[0], "input");
  try {
    return { jsonrpc: "2.0", id, result: await (await contract()).call(String(data) as Hex) };
  } catch (error) {
    return { jsonrpc: "2.0", id, error: { code: 3, message: `execution reverted: ${messageOf(error)}` } };
  }
}
