import { base58 } from "@scure/base";
import type { FacilitatorSvmSigner } from "@x402/svm";
import { messageOf } from "../../../core/errors.ts";
import { readMember } from "../../codec.ts";
import { createJSONRPC } from "../../networks/json-rpc.ts";
import { COMPUTE_BUDGET_PROGRAM } from "../../networks/solana/programs.ts";
import { parseBase64Transaction } from "../../networks/solana/transaction.ts";
import { pickEndpoint } from "./endpoints.ts";
import { GUARD_OPTIONS, renderConfirmedTransfer } from "./solana-guards.ts";
import { toScheme } from "./to-scheme.ts";
import type { ChainEngine, CreateEngine, SendWatch } from "./types.ts";

const SIGNATURE_LAMPORTS = 5_000n;
/** An account that holds less than this is removed, so it cannot be spent (rent exemption of an empty account). */
const RENT_LAMPORTS = 890_880n;
/**
 * The buyer chooses the priority fee and we pay it. A transfer with a memo and a wallet's assertions takes about 40,000
 * units; together this is at most 0.000012 SOL.
 */
const COMPUTE_UNITS_MAX = 60_000;
const MICRO_LAMPORTS_MAX = 200_000;
const SIGNATURES_MAX = 2;
/** What an instruction may use where the transaction names no limit. */
const INSTRUCTION_UNITS = 200_000n;
const TRANSACTION_UNITS_MAX = 1_400_000n;
const SETTLE_LAMPORTS =
  SIGNATURE_LAMPORTS * BigInt(SIGNATURES_MAX) + (BigInt(COMPUTE_UNITS_MAX) * BigInt(MICRO_LAMPORTS_MAX)) / 1_000_000n;

/** Settles on Solana with the official scheme; the gas account is the payments' fee payer. */
export const createSolanaEngine: CreateEngine = async (options): Promise<ChainEngine> => {
  const [solana, { ExactSvmScheme }, { InMemoryPendingSettlementStore }] = await Promise.all([
    import("./solana-signer.ts"),
    import("@x402/svm/exact/facilitator"),
    import("@x402/core/facilitator"),
  ]);
  const { network, key, rpc_urls } = options;
  const signer = await solana.createKeyPairSignerFromBytes(readKey(key)).catch(() => {
    throw new Error("the gas key is no Solana key pair");
  });
  const cache = new solana.SettlementCache();
  const pendingSettlementStore = new InMemoryPendingSettlementStore();
  const endpoints = pickEndpoint(rpc_urls, (url) => solana.toFacilitatorSvmSigner(signer, { defaultRpcUrl: url }));

  return {
    account: signer.address,
    extra: { feePayer: signer.address },
    async check() {
      const balance = await endpoints.find(async (url) => {
        const rpc = createJSONRPC([url]);
        const genesis = String(await rpc("getGenesisHash", []));
        if (`solana:${genesis.slice(0, 32)}` !== network.id) throw new Error("the RPC endpoint is on another cluster");
        return readBalance(await rpc("getBalance", [signer.address, { commitment: "confirmed" }]));
      });
      return { balance: balance > RENT_LAMPORTS ? balance - RENT_LAMPORTS : 0n, cost: SETTLE_LAMPORTS };
    },
    open: (watch) => {
      let settled = "";
      const own_signer = {
        ...watched(endpoints.current(), watch),
        getConfirmedTransactionInnerInstructions: async () => renderConfirmedTransfer(settled),
      };
      const official = new ExactSvmScheme(own_signer, cache, {
        ...GUARD_OPTIONS,
        maxComputeUnits: COMPUTE_UNITS_MAX,
        smartWalletMaxComputeUnits: COMPUTE_UNITS_MAX,
        maxPriorityFeeMicroLamports: MICRO_LAMPORTS_MAX,
        smartWalletMaxPriorityFeeMicroLamports: MICRO_LAMPORTS_MAX,
        maxRequiredSignatures: SIGNATURES_MAX,
        pendingSettlementStore,
      });
      const scheme = toScheme(official);
      return {
        verify: scheme.verify,
        settle(payment, requirement) {
          settled = String(readMember(readMember(payment, "payload"), "transaction"));
          return scheme.settle(payment, requirement);
        },
      };
    },
  };
};

/** Errors go on without addresses in them: the scheme prints them. */
const plain = (what: string, error: unknown): Error =>
  new Error(
    `${what}: ${messageOf(error)
      .replace(/https?:\/\/\S+/g, "(address)")
      .slice(0, 200)}`,
  );

function watched(signer: FacilitatorSvmSigner, watch: SendWatch): FacilitatorSvmSigner {
  const { simulateTransactionWithInnerInstructions: simulateWhole } = signer;
  if (!simulateWhole) throw new Error("the official signer does not simulate inner instructions");
  const simulate = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      const fault = plain("simulation", error);
      if (!/^(Smart wallet s|S)imulation failed/.test(messageOf(error))) watch.noteFault(fault);
      throw fault;
    }
  };
  return {
    ...signer,
    simulateTransaction: (...args) => simulate(() => signer.simulateTransaction(...args)),
    async simulateTransactionWithInnerInstructions(wire, network) {
      // The scheme's second look does not ask for a limit of compute units, and without one a priority fee is dear.
      if (readWire(wire).cost > SETTLE_LAMPORTS) throw new Error("the compute unit limit is missing");
      return simulate(() => simulateWhole(wire, network));
    },
    async sendTransaction(wire, network) {
      const { cost, id } = readWire(wire);
      await watch.beforeSend({ cost_max: cost, transaction: id });
      try {
        return await signer.sendTransaction(wire, network);
      } catch (error) {
        throw plain("the endpoint did not confirm that it took the transaction", error);
      }
    },
    async confirmTransaction(signature, network) {
      try {
        await signer.confirmTransaction(signature, network);
      } catch (error) {
        // The scheme tells a failure on the chain from a wait that was too short by the error's class.
        throw error instanceof Error && error.name === "TransactionOnchainFailureError" ? error : plain("wait", error);
      }
    },
  };
}

/** The fee follows from the transaction: signatures, and the compute budget it asks for. */
function readWire(wire: string): { cost: bigint; id: string } {
  const transaction = parseBase64Transaction(wire);
  const [signature] = transaction?.signatures ?? [];
  if (!transaction || !signature) throw new Error("the signed transaction cannot be read");
  const budget = Buffer.from(base58.decode(COMPUTE_BUDGET_PROGRAM)).toString("hex");
  const unsaid = INSTRUCTION_UNITS * BigInt(transaction.instructions.length);
  let [units, price] = [unsaid < TRANSACTION_UNITS_MAX ? unsaid : TRANSACTION_UNITS_MAX, 0n];
  for (const { program, data } of transaction.instructions) {
    if (transaction.accounts[program] !== budget) continue;
    const bytes = Buffer.from(data);
    // Bytes after the number are ignored by a validator.
    if (bytes[0] === 2 && bytes.length >= 5) units = BigInt(bytes.readUInt32LE(1));
    if (bytes[0] === 3 && bytes.length >= 9) price = bytes.readBigUInt64LE(1);
  }
  const cost = SIGNATURE_LAMPORTS * BigInt(transaction.signatures.length) + (units * price + 999_999n) / 1_000_000n;
  return { cost, id: base58.encode(signature) };
}

function readBalance(answer: unknown): bigint {
  const value = typeof answer === "object" && answer !== null && "value" in answer ? answer.value : null;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new Error("no balance was given");
  return BigInt(value);
}

/** 64 bytes: the seed and the public key. */
function readKey(text: string): Uint8Array {
  if (!text.startsWith("[")) return base58.decode(text);
  return Uint8Array.from(JSON.parse(text));
}
