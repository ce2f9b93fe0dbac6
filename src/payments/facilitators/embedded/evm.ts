import type { FacilitatorEvmSigner } from "@x402/evm";
import type { ReadContractParameters, VerifyTypedDataParameters } from "viem";
import { SCHEME } from "../../channels/contract.ts";
import { readMember } from "../../codec.ts";
import { UPTO, UPTO_PROXY } from "../../upto/contract.ts";
import { isRevert, plainError } from "./evm-errors.ts";
import { createGasJudge } from "./evm-gas.ts";
import { createEvmSender } from "./evm-sender.ts";
import { toScheme } from "./to-scheme.ts";
import type { ChainEngine, CreateEngine, SendWatch } from "./types.ts";

/** About what `transferWithAuthorization` of USDC takes. */
const SETTLE_GAS = 120_000n;
/** A wallet's creation (ERC-6492), by a factory the operator allowed. */
const CREATE_GAS_MAX = 1_500_000n;
/** A claim of 100 channels takes about 5 million. */
const CHANNEL_GAS_MAX = 10_000_000n;
const CALL_TIMEOUT_MS = 5_000;

const schemeOf = (requirement: unknown): unknown => readMember(requirement, "scheme");

/**
 * Settles on an EVM network with the official scheme. Contract wallets are taken as it takes them: deployed ones
 * by ERC-1271, undeployed ones (ERC-6492) only when an allowed factory creates them.
 */
export const createEvmEngine: CreateEngine = async (options): Promise<ChainEngine> => {
  const [viem, { privateKeyToAccount }, core, exact, batch, upto] = await Promise.all([
    import("./viem.ts"),
    import("viem/accounts"),
    import("@x402/core/facilitator"),
    import("@x402/evm/exact/facilitator"),
    import("@x402/evm/batch-settlement/facilitator"),
    import("@x402/evm/upto/facilitator"),
  ]);
  const { network, key, rpc_urls, headers, factories, confirm_ms, gas } = options;
  const chain_id = network.eip712?.chain_id ?? 0;
  const account = privateKeyToAccount(`0x${key.replace(/^0x/, "")}`);
  const transports = rpc_urls.map((url) =>
    viem.http(url, { timeout: CALL_TIMEOUT_MS, retryCount: 0, fetchOptions: { redirect: "manual", headers } }),
  );
  const client = viem.createPublicClient({ transport: viem.fallback(transports, { retryCount: 1 }) });
  const singles = transports.map((transport) => viem.createPublicClient({ transport }));
  const sender = createEvmSender({ viem, client, singles, account, chain_id, confirm_ms });
  const pendingSettlementStore = new core.InMemoryPendingSettlementStore();

  const judge = createGasJudge({ viem, sender, network, limits: gas, settle_gas: SETTLE_GAS });

  const signerFor = (watch: SendWatch, cost_max: bigint | null, gas_max = gas.per_call_max): FacilitatorEvmSigner => {
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
      // What is tried out is tried as the account that will send it: the proxy of `upto` takes no other.
      readContract: (args) => reading(client.readContract({ ...(args as ReadContractParameters), account })),
      verifyTypedData: (args) => reading(client.verifyTypedData(args as VerifyTypedDataParameters)),
      writeContract: ({ address, abi, functionName, args, dataSuffix }) => {
        const data = viem.encodeFunctionData({ abi, functionName, args } as Parameters<
          typeof viem.encodeFunctionData
        >[0]);
        const call = { to: address, data: viem.concat([data, dataSuffix ?? "0x"]), cost_max };
        return sender.send(watch, { ...call, pays: true, gas_max });
      },
      sendTransaction: ({ to, data }) =>
        sender.send(watch, { to, data, pays: false, gas_max: CREATE_GAS_MAX, cost_max }),
      waitForTransactionReceipt: ({ hash }) => sender.waitFor(hash),
    };
  };

  /** Whether the proxy that payers of `upto` sign for is on this chain; looked for until it is found. */
  let has_proxy = false;
  const findProxy = async (): Promise<boolean> => ((await client.getCode({ address: UPTO_PROXY })) ?? "0x") !== "0x";

  return {
    account: account.address,
    extra: {},
    more_kinds: () => ({ [SCHEME]: {}, ...(has_proxy ? { [UPTO]: { facilitatorAddress: account.address } } : {}) }),
    covers_cost: gas.coin_price !== null,
    async check() {
      try {
        const id = await client.getChainId();
        if (id !== chain_id) throw new Error(`the RPC endpoint is on chain ${id}, not ${chain_id}`);
        const [balance, { max_fee }] = await Promise.all([client.getBalance(account), sender.fees()]);
        has_proxy ||= await findProxy();
        return { balance, cost: SETTLE_GAS * max_fee };
      } catch (error) {
        throw plainError(error);
      }
    },
    open: (watch) => {
      const shared = { eip6492AllowedFactories: [...factories], pendingSettlementStore };
      const config = { ...shared, simulateInSettle: true };
      // Claims and refunds are signed by the node itself; what their gas may cost is the hourly cap's to say.
      const channels = toScheme(
        new batch.BatchSettlementEvmScheme(signerFor(watch, null, CHANNEL_GAS_MAX), undefined, shared),
      );
      const schemeFor = (payload: unknown, requirement: unknown) => {
        const signer = signerFor(watch, judge.costMax(payload, requirement));
        const is_upto = schemeOf(requirement) === UPTO;
        return toScheme(is_upto ? new upto.UptoEvmScheme(signer, shared) : new exact.ExactEvmScheme(signer, config));
      };
      return {
        async verify(payload, requirement) {
          if (schemeOf(requirement) === SCHEME) return channels.verify(payload, requirement);
          const verified = await schemeFor(payload, requirement).verify(payload, requirement);
          if (!verified.isValid) return verified;
          try {
            const why = await judge.whyTooMuch(payload, requirement);
            return why === null ? verified : { isValid: false, invalidReason: why };
          } catch (error) {
            const plain = plainError(error);
            if (!isRevert(viem, error)) watch.noteFault(plain);
            throw plain;
          }
        },
        settle: (payload, requirement) =>
          (schemeOf(requirement) === SCHEME ? channels : schemeFor(payload, requirement)).settle(payload, requirement),
      };
    },
  };
};
