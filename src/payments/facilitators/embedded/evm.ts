import type { FacilitatorEvmSigner } from "@x402/evm";
import type { ReadContractParameters, VerifyTypedDataParameters } from "viem";
import { isRevert, plainError } from "./evm-errors.ts";
import { createEvmSender } from "./evm-sender.ts";
import { toScheme } from "./to-scheme.ts";
import type { CreateEngine, Engine, Watch } from "./types.ts";

/** About what `transferWithAuthorization` of USDC takes. */
const SETTLE_GAS = 120_000n;
const CALL_TIMEOUT_MS = 5_000;

/**
 * Settles on an EVM network with the official scheme. Contract wallets are taken as it takes them: deployed ones
 * by ERC-1271, undeployed ones (ERC-6492) only when an allowed factory creates them.
 */
export const createEvmEngine: CreateEngine = async (options): Promise<Engine> => {
  const [viem, { privateKeyToAccount }, { ExactEvmScheme }, { InMemoryPendingSettlementStore }] = await Promise.all([
    import("viem"),
    import("viem/accounts"),
    import("@x402/evm/exact/facilitator"),
    import("@x402/core/facilitator"),
  ]);
  const { network, key, rpc_urls, headers, factories, confirm_ms } = options;
  const chain_id = network.eip712?.chain_id ?? 0;
  const account = privateKeyToAccount(`0x${key.replace(/^0x/, "")}`);
  const transports = rpc_urls.map((url) =>
    viem.http(url, { timeout: CALL_TIMEOUT_MS, retryCount: 0, fetchOptions: { redirect: "manual", headers } }),
  );
  const client = viem.createPublicClient({ transport: viem.fallback(transports, { retryCount: 1 }) });
  const singles = transports.map((transport) => viem.createPublicClient({ transport }));
  const sender = createEvmSender({ viem, client, singles, account, chain_id, confirm_ms });
  const pendingSettlementStore = new InMemoryPendingSettlementStore();

  const signerFor = (watch: Watch): FacilitatorEvmSigner => {
    /** What is no revert is a fault of the endpoint. Errors go on without addresses in them. */
    const reading = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        const plain = plainError(error);
        if (!isRevert(viem, error)) watch.noteFault(plain);
        throw plain;
      }
    };
    return {
      getAddresses: () => [account.address],
      getCode: (args) => reading(client.getCode(args)),
      // The scheme hands over an ABI and typed data that viem can only type when they are literals.
      readContract: (args) => reading(client.readContract(args as ReadContractParameters)),
      verifyTypedData: (args) => reading(client.verifyTypedData(args as VerifyTypedDataParameters)),
      writeContract: ({ address, abi, functionName, args, dataSuffix }) => {
        const data = viem.encodeFunctionData({ abi, functionName, args } as Parameters<
          typeof viem.encodeFunctionData
        >[0]);
        return sender.send(watch, { to: address, data: viem.concat([data, dataSuffix ?? "0x"]), pays: true });
      },
      sendTransaction: ({ to, data }) => sender.send(watch, { to, data, pays: false }),
      waitForTransactionReceipt: ({ hash }) => sender.waitFor(hash),
    };
  };

  return {
    account: account.address,
    extra: {},
    async check() {
      try {
        const id = await client.getChainId();
        if (id !== chain_id) throw new Error(`the RPC endpoint is on chain ${id}, not ${chain_id}`);
        const [balance, { max_fee }] = await Promise.all([client.getBalance(account), sender.fees()]);
        return { balance, cost: SETTLE_GAS * max_fee };
      } catch (error) {
        throw plainError(error);
      }
    },
    open: (watch) => {
      const config = { eip6492AllowedFactories: [...factories], simulateInSettle: true, pendingSettlementStore };
      const scheme = new ExactEvmScheme(signerFor(watch), config);
      return toScheme(scheme);
    },
  };
};
