import { createPrivateKey, createPublicKey } from "node:crypto";
import { Type } from "@sinclair/typebox";
import type { FacilitatorAvmSigner } from "@x402/avm";
import { encodeAlgorandAddress } from "../../../core/algorand-address.ts";
import { createReader } from "../../../payments/codec.ts";
import type { AlgorandLedger } from "./ledger.ts";

/** Ed25519 seed of the account that pays the network fees. It is public, so never use it on a real network. */
const SEED = new Uint8Array(32).fill(1);
/** The DER bytes before the 32 bytes of an Ed25519 seed (RFC 8410). */
const DER_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const private_key = createPrivateKey({ key: Buffer.concat([DER_PREFIX, SEED]), format: "der", type: "pkcs8" });
const public_key = createPublicKey(private_key).export({ format: "der", type: "spki" }).subarray(-32);
export const FEE_PAYER = encodeAlgorandAddress(public_key);

const AMOUNT = Type.String({ pattern: "^(0|[1-9][0-9]{0,77})$" });
const Choice = Type.Object({ scheme: Type.String(), network: Type.String() });
const readRequirement = createReader(
  Type.Object({ ...Choice.properties, asset: Type.String(), payTo: Type.String(), amount: AMOUNT }),
);
const readPayload = createReader(
  Type.Object({ x402Version: Type.Integer(), accepted: Choice, payload: Type.Record(Type.String(), Type.Unknown()) }),
);

export interface AlgorandVerifyAnswer {
  readonly isValid: boolean;
  readonly invalidReason?: string | undefined;
  readonly invalidMessage?: string | undefined;
  readonly payer?: string | undefined;
}
export interface AlgorandSettleAnswer {
  readonly success: boolean;
  readonly transaction: string;
  readonly errorReason?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly payer?: string | undefined;
}

/** The interface through which the official facilitator reads and changes a simulated network. */
function createSigner(ledger: AlgorandLedger): FacilitatorAvmSigner {
  const decode = async (wires: readonly Uint8Array[]) => {
    const { decodeSignedTransaction } = await import("./algosdk.ts");
    return wires.map((wire) => decodeSignedTransaction(wire));
  };
  const unused = (name: string) => (): never => {
    throw new Error(`${name} is not simulated`);
  };
  return {
    getAddresses: () => [FEE_PAYER],
    async signTransaction(bytes) {
      const { decodeUnsignedTransaction } = await import("./algosdk.ts");
      return decodeUnsignedTransaction(bytes).signTxn(Buffer.concat([SEED, public_key]));
    },
    async simulateTransactions(wires) {
      const { error } = await ledger.attempt(await decode(wires));
      const failure = error === null ? {} : { failureMessage: error };
      return { version: 2, lastRound: BigInt(ledger.lastRound()), txnGroups: [{ txnResults: [], ...failure }] };
    },
    async sendTransactions(wires) {
      const group = await decode(wires);
      const { error } = await ledger.send(group);
      if (error !== null) throw new Error(error);
      return group[0]?.txn.txID() ?? "";
    },
    // A group lands when it is sent. The scheme ignores this answer and never uses the client.
    waitForConfirmation: async () => ({}) as Awaited<ReturnType<FacilitatorAvmSigner["waitForConfirmation"]>>,
    getAlgodClient: unused("an algod client"),
  };
}

/** Runs the official facilitator code, loaded at the first payment, on a simulated network. Version 2 only. */
export function createOfficialFacilitator(ledger: AlgorandLedger) {
  const load = async () => {
    const { ExactAvmScheme } = await import("@x402/avm/exact/facilitator");
    return new ExactAvmScheme(createSigner(ledger));
  };
  let loaded: ReturnType<typeof load> | null = null;

  /** The arguments for the scheme, or the reason to refuse before calling it. */
  async function prepare(payload: unknown, requirement: unknown) {
    const asked = readRequirement(requirement);
    if (!asked) return "invalid_payment_requirements";
    const given = readPayload(payload);
    if (!given) return "invalid_payload";
    loaded ??= load();
    const scheme = await loaded;
    type SchemePayload = Parameters<typeof scheme.verify>[0];
    type SchemeRequirements = Parameters<typeof scheme.verify>[1];
    // The readers above checked every member the scheme looks at.
    return { scheme, parts: [given as unknown as SchemePayload, asked as unknown as SchemeRequirements] as const };
  }

  return {
    async verify(payload: unknown, requirement: unknown): Promise<AlgorandVerifyAnswer> {
      const ready = await prepare(payload, requirement);
      if (typeof ready === "string") return { isValid: false, invalidReason: ready };
      return ready.scheme.verify(...ready.parts);
    },
    async settle(payload: unknown, requirement: unknown): Promise<AlgorandSettleAnswer> {
      const ready = await prepare(payload, requirement);
      if (typeof ready === "string") return { success: false, transaction: "", errorReason: ready };
      return ready.scheme.settle(...ready.parts);
    },
  };
}
