import type { Hex } from "viem";
import type { Network } from "../../../payments/networks/table.ts";
import { PERMIT2, permit2Domain, UPTO_PROXY, UPTO_TYPES } from "../../../payments/upto/contract.ts";
import type { ChainSettle, ChainVerify } from "../types.ts";
import type { Usdc } from "./usdc.ts";

export interface UptoFacilitatorOptions {
  readonly network: Network;
  readonly usdc: Usdc;
  readonly now_ms: () => number;
  /** The sender of transactions, which is named in what payers sign. */
  readonly signer: Hex;
}

/** Runs the official facilitator's scheme on the simulated chain, with its reasons and its order of checks. */
export interface UptoFacilitator {
  verify(payload: unknown, requirement: unknown): Promise<ChainVerify>;
  settle(payload: unknown, requirement: unknown): Promise<ChainSettle>;
}

interface Call {
  readonly address: Hex;
  readonly functionName: string;
  readonly abi: readonly unknown[];
  readonly args?: readonly unknown[];
}

/** Arguments of the proxy's `settle`. */
type SettleArgs = readonly [
  permit: {
    readonly permitted: { readonly token: Hex; readonly amount: bigint };
    readonly nonce: bigint;
    readonly deadline: bigint;
  },
  amount: bigint,
  owner: Hex,
  witness: { readonly to: Hex; readonly facilitator: Hex; readonly validAfter: bigint },
  signature: Hex,
];

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Permit2 and the proxy by their published rules, with real signature recovery. Every payer has approved Permit2. */
function createProxy(viem: typeof import("viem"), { network, usdc, now_ms, signer }: UptoFacilitatorOptions) {
  const domain = permit2Domain(network.eip712?.chain_id ?? 0);

  /** The account whose key signed it. */
  async function recover([permit, , , witness, signature]: SettleArgs): Promise<string> {
    const message = { ...permit, spender: UPTO_PROXY, witness };
    const typed = { domain, types: UPTO_TYPES, primaryType: "PermitWitnessTransferFrom", message } as const;
    const hash = viem.hashTypedData(typed);
    return viem.recoverAddress({ hash, signature }).catch(() => "");
  }
  /** The checks besides signature and time, run right before the money moves. @throws Error */
  function assertMoves([permit, amount, owner, witness]: SettleArgs): void {
    const now_s = BigInt(Math.floor(now_ms() / 1000));
    if (!isSame(witness.facilitator, signer)) throw new Error("UnauthorizedFacilitator");
    if (amount > permit.permitted.amount) throw new Error("AmountExceedsPermitted");
    if (now_s < witness.validAfter) throw new Error("PaymentTooEarly");
    if (now_s > permit.deadline) throw new Error("SignatureExpired");
    if (!isSame(permit.permitted.token, network.asset)) throw new Error("no such token");
    if (usdc.isPermitUsed(owner, permit.nonce)) throw new Error("InvalidNonce");
    if (usdc.balanceOf(owner) < amount) throw new Error("TRANSFER_FROM_FAILED");
  }
  async function assertSettles(args: SettleArgs): Promise<void> {
    assertMoves(args);
    if (!isSame(await recover(args), args[2])) throw new Error("InvalidSigner");
  }
  return {
    assertSettles,
    async settle(args: SettleArgs, input: string): Promise<Hex> {
      await assertSettles(args);
      // Checked again right before the transfer, without a pause, so that one of two conflicting settles fails.
      assertMoves(args);
      const [{ nonce }, value, from, { to }] = args;
      return usdc.transferByPermit({ from, to, value, nonce, input: input.toLowerCase() }, now_ms()).transaction as Hex;
    },
  };
}

export async function createUptoFacilitator(options: UptoFacilitatorOptions): Promise<UptoFacilitator> {
  const [viem, { UptoEvmScheme }] = await Promise.all([import("viem"), import("@x402/evm/upto/facilitator")]);
  const { network, usdc, signer } = options;
  const proxy = createProxy(viem, options);

  /** The few reads of the official scheme. @throws Error where the chain would revert */
  async function read({ address, functionName, args = [] }: Call): Promise<unknown> {
    if (isSame(address, UPTO_PROXY) && functionName === "settle") return proxy.assertSettles(args as SettleArgs);
    if (isSame(address, UPTO_PROXY) && functionName === "PERMIT2") return PERMIT2;
    if (isSame(address, network.asset) && functionName === "balanceOf") return usdc.balanceOf(String(args[0]));
    if (isSame(address, network.asset) && functionName === "allowance") return 2n ** 256n - 1n;
    throw new Error(`${functionName} is not simulated`);
  }
  async function readContract(call: Call): Promise<unknown> {
    if (call.functionName !== "tryAggregate") return read(call);
    const abi = [...viem.erc20Abi, ...viem.parseAbi(["function PERMIT2() view returns (address)"])];
    const calls = call.args?.[1] as readonly { readonly target: Hex; readonly callData: Hex }[];
    return Promise.all(
      calls.map(async ({ target, callData }) => {
        try {
          const asked = viem.decodeFunctionData({ abi, data: callData });
          const result = await read({ address: target, abi, ...asked } as Call);
          const { functionName } = asked;
          return { success: true, returnData: viem.encodeFunctionResult({ abi, functionName, result } as never) };
        } catch {
          return { success: false, returnData: "0x" };
        }
      }),
    );
  }

  const scheme = new UptoEvmScheme({
    getAddresses: () => [signer],
    // Payers are plain accounts here.
    getCode: async ({ address }) => (isSame(address, network.asset) ? "0x01" : undefined),
    readContract,
    verifyTypedData: (args) => viem.verifyTypedData(args as Parameters<typeof viem.verifyTypedData>[0]),
    async writeContract({ abi, functionName, args }) {
      if (functionName !== "settle") throw new Error("nothing else is sent on this chain");
      const input = viem.encodeFunctionData({ abi, functionName, args } as never);
      return proxy.settle(args as unknown as SettleArgs, input);
    },
    sendTransaction: async () => {
      throw new Error("nothing else is sent on this chain");
    },
    waitForTransactionReceipt: async () => ({ status: "success", logs: [] }),
  });
  return {
    verify: (payload, requirement) => scheme.verify(payload as never, requirement as never) as Promise<ChainVerify>,
    settle: (payload, requirement) => scheme.settle(payload as never, requirement as never) as Promise<ChainSettle>,
  };
}
