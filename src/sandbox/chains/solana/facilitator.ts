import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { base58 } from "@scure/base";
import { Type } from "@sinclair/typebox";
import type { FacilitatorSvmSigner } from "@x402/svm";
import { createReader } from "../../../payments/codec.ts";
import { GUARD_OPTIONS, renderConfirmedTransfer } from "../../../payments/facilitators/embedded/solana-guards.ts";
import { decode } from "./execute.ts";

/** Ed25519 seed of the account that pays the network fees. It is public, so never use it on a real network. */
const SEED = new Uint8Array(32).fill(1);
/** The DER bytes before the 32 bytes of an Ed25519 seed (RFC 8410). */
const DER_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const private_key = createPrivateKey({ key: Buffer.concat([DER_PREFIX, SEED]), format: "der", type: "pkcs8" });
const spki = createPublicKey(private_key).export({ format: "der", type: "spki" });
export const FEE_PAYER = base58.encode(spki.subarray(-32));

/** The official code's reason. Checked here first, because the official code would also write to the console. */
const UNREADABLE = "invalid_exact_svm_payload_transaction_could_not_be_decoded";
const AMOUNT = Type.String({ pattern: "^(0|[1-9][0-9]{0,77})$" });
const Requirement = Type.Object({
  scheme: Type.String(),
  network: Type.String(),
  asset: Type.String(),
  payTo: Type.String(),
  /** Version 2; version 1 calls it maxAmountRequired. */
  amount: Type.Optional(AMOUNT),
  maxAmountRequired: Type.Optional(AMOUNT),
  extra: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())])),
});
const Choice = Type.Object({ scheme: Type.String(), network: Type.String() });
const Payload = Type.Object({ transaction: Type.String({ pattern: "^[A-Za-z0-9+/]{1,2048}={0,2}$" }) });
const readRequirement = createReader(Requirement);
const readV2 = createReader(Type.Object({ x402Version: Type.Literal(2), accepted: Choice, payload: Payload }));
const readV1 = createReader(Type.Object({ x402Version: Type.Literal(1), ...Choice.properties, payload: Payload }));

/** Puts the fee payer's signature into slot 0. One byte with their number comes before the slots. */
export function signAsFeePayer(wire: string, message: Uint8Array): { wire: string; signature: string } {
  const signature = sign(null, message, private_key);
  const bytes = Buffer.from(wire, "base64");
  signature.copy(bytes, 1);
  return { wire: bytes.toString("base64"), signature: base58.encode(signature) };
}

/** The interface to a chain that the official facilitator needs: it simulates a transaction, then sends it. */
export interface FacilitatorChain {
  /** @throws Error when it would fail. */
  simulate(wire: string): Promise<void>;
  /** Signs and lands it. @throws Error when it fails. */
  send(wire: string): Promise<string>;
  /** The landed transaction, or null. */
  find(signature: string): string | null;
}

export interface SolanaVerifyAnswer {
  readonly isValid: boolean;
  readonly invalidReason?: string | undefined;
  readonly invalidMessage?: string | undefined;
  readonly payer?: string | undefined;
}
export interface SolanaSettleAnswer {
  readonly success: boolean;
  readonly transaction: string;
  readonly errorReason?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly payer?: string | undefined;
}

/** The official facilitator code of both protocol versions, loaded at the first payment, on a simulated chain. */
export function createOfficialFacilitator(chain: FacilitatorChain) {
  const signer: FacilitatorSvmSigner = {
    getAddresses: () => [FEE_PAYER as ReturnType<FacilitatorSvmSigner["getAddresses"]>[number]],
    signTransaction: async (transaction) => transaction,
    simulateTransaction: (transaction) => chain.simulate(transaction),
    sendTransaction: (transaction) => chain.send(transaction),
    confirmTransaction: async () => undefined,
    simulateTransactionWithInnerInstructions: async (transaction) => {
      await chain.simulate(transaction);
      return { innerInstructions: null };
    },
    getConfirmedTransactionInnerInstructions: async (signature) => {
      const wire = chain.find(signature);
      return wire === null ? null : renderConfirmedTransfer(wire);
    },
    getTokenAccountBalance: async () => null,
    fetchAddressLookupTables: async () => {
      throw new Error("no lookup tables are simulated");
    },
  };
  const load = async () => {
    const { ExactSvmScheme } = await import("@x402/svm/exact/facilitator");
    const { ExactSvmSchemeV1 } = await import("@x402/svm/exact/v1/facilitator");
    const { SettlementCache } = await import("./decoders.ts");
    // Both versions share one memory of settlements, because the transactions are the same.
    const cache = new SettlementCache();
    return { v2: new ExactSvmScheme(signer, cache, GUARD_OPTIONS), v1: new ExactSvmSchemeV1(signer, cache) };
  };
  let loaded: ReturnType<typeof load> | null = null;

  /** The scheme for a payload's version, or the reason to refuse before calling one. */
  async function prepare(payload: unknown, requirement: unknown) {
    const asked = readRequirement(requirement);
    if (!asked) return "invalid_payment_requirements";
    const given = readV2(payload) ?? readV1(payload);
    if (!given) return "invalid_payload";
    const amount = given.x402Version === 2 ? asked.amount : asked.maxAmountRequired;
    if (amount === undefined) return "invalid_payment_requirements";
    if (!(await decode(given.payload.transaction))) return UNREADABLE;
    loaded ??= load();
    const { v1, v2 } = await loaded;
    type SchemePayload = Parameters<typeof v2.verify>[0];
    type SchemeRequirements = Parameters<typeof v2.verify>[1];
    // The readers above checked every member the schemes look at; their types are those of the other version.
    const parts = [
      given as unknown as SchemePayload,
      { ...asked, extra: asked.extra ?? {} } as unknown as SchemeRequirements,
    ] as const;
    return { scheme: given.x402Version === 2 ? v2 : v1, parts };
  }

  return {
    async verify(payload: unknown, requirement: unknown): Promise<SolanaVerifyAnswer> {
      const ready = await prepare(payload, requirement);
      if (typeof ready === "string") return { isValid: false, invalidReason: ready };
      return ready.scheme.verify(...ready.parts);
    },
    async settle(payload: unknown, requirement: unknown): Promise<SolanaSettleAnswer> {
      const ready = await prepare(payload, requirement);
      if (typeof ready === "string") return { success: false, transaction: "", errorReason: ready };
      return ready.scheme.settle(...ready.parts);
    },
  };
}
