import type { Hex } from "viem";
import { CHANNEL_ABI } from "../../../payments/channels/abi.ts";
import { CONTRACT } from "../../../payments/channels/contract.ts";
import type { Network } from "../../../payments/networks/table.ts";
import type { ChainSettle, ChainVerify } from "../types.ts";
import type { ChannelContract } from "./channel-contract.ts";
import type { TokenMove } from "./channel-state.ts";
import type { Usdc } from "./usdc.ts";

/** A public key pair with which the sandbox's facilitator may sign for sellers. */
const AUTHORIZER_KEY: Hex = "0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a";
export const AUTHORIZER = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc";

export interface ChannelFacilitatorOptions {
  readonly network: Network;
  readonly usdc: Usdc;
  readonly contract: ChannelContract;
  readonly signer: Hex;
}

/** Runs the official facilitator's scheme on the simulated chain, with its reasons and its order of checks. */
export interface ChannelFacilitator {
  verify(payload: unknown, requirement: unknown): Promise<ChainVerify>;
  settle(payload: unknown, requirement: unknown): Promise<ChainSettle>;
}

interface Call {
  readonly address: Hex;
  readonly abi: readonly unknown[];
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

export async function createChannelFacilitator(options: ChannelFacilitatorOptions): Promise<ChannelFacilitator> {
  const [viem, { privateKeyToAccount }, { BatchSettlementEvmScheme }] = await Promise.all([
    import("viem"),
    import("viem/accounts"),
    import("@x402/evm/batch-settlement/facilitator"),
  ]);
  const { network, usdc, contract, signer } = options;
  const abi = viem.parseAbi(CHANNEL_ABI);
  /** One call, given its data: a call of the contract, or of the token's balance. */
  async function ask(to: string, data: Hex): Promise<Hex> {
    if (to.toLowerCase() === CONTRACT.toLowerCase()) return contract.call(data);
    if (to.toLowerCase() !== network.asset.toLowerCase()) throw new Error("no such contract");
    const { args } = viem.decodeFunctionData({ abi: viem.erc20Abi, data });
    return viem.toHex(usdc.balanceOf(String(args?.[0])), { size: 32 });
  }

  async function readContract({ address, abi: given, functionName, args = [] }: Call): Promise<unknown> {
    if (functionName === "tryAggregate") {
      const calls = args[1] as readonly { readonly target: string; readonly callData: Hex }[];
      return Promise.all(
        calls.map(async ({ target, callData }) => {
          try {
            return { success: true, returnData: await ask(target, callData) };
          } catch {
            return { success: false, returnData: "0x" };
          }
        }),
      );
    }
    const data = viem.encodeFunctionData({ abi: given as typeof abi, functionName, args } as never);
    const answer = await ask(address, data);
    if (answer === "0x") return undefined;
    return viem.decodeFunctionResult({ abi: given as typeof abi, functionName, data: answer } as never);
  }

  /** The part of a receipt that the official scheme reads: the status and the swept amount. */
  const logsOf = (moves: readonly TokenMove[], swept: Call | null) =>
    swept === null
      ? []
      : moves.map(({ amount, address }) => ({
          address: CONTRACT,
          topics: viem.encodeEventTopics({
            abi,
            eventName: "Settled",
            args: { receiver: address as Hex, token: swept.args?.[1] as Hex, sender: signer },
          }),
          data: viem.toHex(amount, { size: 32 }),
        }));
  /** Of transactions that are waited for. */
  const receipts = new Map<string, unknown>();

  const scheme = new BatchSettlementEvmScheme(
    {
      getAddresses: () => [signer],
      getCode: async () => undefined,
      readContract,
      verifyTypedData: (args) => viem.verifyTypedData(args as Parameters<typeof viem.verifyTypedData>[0]),
      async writeContract(call) {
        const { abi: given, functionName, args } = call;
        const data = viem.encodeFunctionData({ abi: given as typeof abi, functionName, args } as never);
        const { transaction, moves } = await contract.send(data);
        receipts.set(transaction, logsOf(moves, functionName === "settle" ? call : null));
        return transaction;
      },
      sendTransaction: async () => {
        throw new Error("nothing else is sent on this chain");
      },
      async waitForTransactionReceipt({ hash }) {
        const logs = receipts.get(hash) ?? [];
        receipts.delete(hash);
        return { status: "success", logs: logs as never };
      },
    },
    privateKeyToAccount(AUTHORIZER_KEY),
  );
  return {
    verify: (payload, requirement) => scheme.verify(payload as never, requirement as never) as Promise<ChainVerify>,
    settle: (payload, requirement) => scheme.settle(payload as never, requirement as never) as Promise<ChainSettle>,
  };
}
