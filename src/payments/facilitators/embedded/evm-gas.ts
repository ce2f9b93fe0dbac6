import { Type } from "@sinclair/typebox";
import type { Hex } from "viem";
import { createReader } from "../../codec.ts";
import { isWrapped } from "../../networks/evm/contract-signature.ts";
import { readEip3009 } from "../../networks/evm/read.ts";
import { readPermit2, type SignedPermit } from "../../networks/evm/read-permit2.ts";
import type { Network } from "../../networks/table.ts";
import { SETTLE_ABI, UPTO_PROXY } from "../../upto/contract.ts";
import type { createEvmSender } from "./evm-sender.ts";
import type { GasLimits } from "./types.ts";

/** Why a payment that is good is not taken all the same: its gas. */
export type GasRefusal = "gas_over_limit" | "gas_over_share";

export interface GasJudgeOptions {
  readonly viem: typeof import("./viem.ts");
  readonly sender: Pick<ReturnType<typeof createEvmSender>, "estimate" | "fees">;
  readonly network: Network;
  readonly limits: GasLimits;
  /** About what a plain account's payment takes. */
  readonly settle_gas: bigint;
}

const WEI = 10n ** 18n;
const PARTS = 10_000n;
const readCall = createReader(Type.Object({ payload: Type.Record(Type.String(), Type.Unknown()) }));
const Amount = Type.Object({ amount: Type.String({ pattern: "^[0-9]{1,30}$" }) });
const readAmount = createReader(Amount);
const readAccepted = createReader(Type.Object({ accepted: Amount }));

/**
 * What settling a payment costs, before anything is produced for it: a contract wallet's own code runs in it, and the
 * node pays.
 */
export function createGasJudge({ viem, sender, network, limits, settle_gas }: GasJudgeOptions) {
  const abi = viem.parseAbi([
    "function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)",
  ]);

  const settle_abi = viem.parseAbi(SETTLE_ABI);

  /**
   * The share of what was signed, in the smallest unit of the coin; null when its worth is not known. Where less is
   * charged than was signed, the answer was made on this word: its gas may cost a larger share of the charge.
   */
  const costMax = (payload: unknown, requirement: unknown): bigint | null => {
    const { amount } = readAccepted(payload)?.accepted ?? readAmount(requirement) ?? {};
    if (limits.coin_price === null || limits.coin_price <= 0n || amount === undefined) return null;
    const parts = BigInt(Math.floor(limits.share_max * Number(PARTS)));
    return (BigInt(amount) * WEI * parts) / (limits.coin_price * PARTS);
  };

  /** The proxy lets a wallet's own code judge the signature too. */
  function gasOfPermit({ permit2Authorization: permit, signature }: SignedPermit): Promise<bigint> {
    const { permitted, nonce, deadline, witness, from } = permit;
    const amount = BigInt(permitted.amount);
    const allowed = { token: permitted.token as Hex, amount };
    const bound = {
      to: witness.to as Hex,
      facilitator: witness.facilitator as Hex,
      validAfter: BigInt(witness.validAfter),
    };
    const transfer = { permitted: allowed, nonce: BigInt(nonce), deadline: BigInt(deadline) };
    const args = [transfer, amount, from as Hex, bound, signature as Hex] as const;
    return sender.estimate({ to: UPTO_PROXY, data: viem.encodeFunctionData({ abi: settle_abi, args }) });
  }

  async function gasOf(payload: unknown): Promise<bigint> {
    const permit = readPermit2(readCall(payload)?.payload ?? {});
    if (permit !== null) return gasOfPermit(permit);
    const signed = readEip3009(readCall(payload)?.payload ?? {});
    // A wallet that is not there yet cannot be tried. Any other account may have code, whatever its signature is like.
    if (!signed || isWrapped(signed.signature)) return settle_gas;
    const { from, to, value, validAfter, validBefore, nonce } = signed.authorization;
    const numbers = [BigInt(value), BigInt(validAfter), BigInt(validBefore)] as const;
    const args = [from as Hex, to as Hex, ...numbers, nonce as Hex, signed.signature as Hex] as const;
    return sender.estimate({ to: network.asset as Hex, data: viem.encodeFunctionData({ abi, args }) });
  }

  return {
    costMax,
    async whyTooMuch(payload: unknown, requirement: unknown): Promise<GasRefusal | null> {
      const gas = await gasOf(payload);
      if (gas > limits.per_call_max) return "gas_over_limit";
      const cost_max = costMax(payload, requirement);
      if (cost_max === null) return null;
      const { expected } = await sender.fees();
      return gas * expected > cost_max ? "gas_over_share" : null;
    },
  };
}
