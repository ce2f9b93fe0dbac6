import { Type } from "@sinclair/typebox";
import type { Hex } from "viem";
import { createReader } from "../../../payments/codec.ts";
import { TRANSFER_WITH_AUTHORIZATION, usdcDomain } from "../../../payments/networks/evm/check-signature.ts";
import type { Network } from "../../../payments/networks/table.ts";
import { Authorization, type Usdc } from "./usdc.ts";

const Requirement = Type.Object({
  scheme: Type.String(),
  network: Type.String(),
  asset: Type.String(),
  payTo: Type.String(),
  /** Version 2; version 1 calls it maxAmountRequired. */
  amount: Type.Optional(Type.String()),
  maxAmountRequired: Type.Optional(Type.String()),
  extra: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())])),
});
const Wrapped = Type.Object({ payload: Type.Record(Type.String(), Type.Unknown()) });
const Exact = Type.Object(
  { signature: Type.String({ pattern: "^0x(?:[0-9a-fA-F]{2}){1,4096}$" }), authorization: Authorization },
  { additionalProperties: false },
);
const readRequirement = createReader(Requirement);
const readWrapped = createReader(Wrapped);
const readExact = createReader(Exact);

export type Checked =
  | { readonly ok: true; readonly authorization: Authorization }
  | { readonly ok: false; readonly reason: string; readonly payer?: string };

/** Seconds a settlement needs at least, as the reference facilitator has it. */
const SETTLE_S = 6n;

/**
 * Every check of the `exact` scheme on EVM, with a real signature recovery. The reason words are those of the reference
 * facilitator.
 */
export async function checkExact(
  given: { readonly payload: unknown; readonly requirement: unknown },
  chain: { readonly network: Network; readonly usdc: Usdc; readonly now_ms: number },
): Promise<Checked> {
  const { network, usdc, now_ms } = chain;
  const requirement = readRequirement(given.requirement);
  const wrapped = readWrapped(given.payload);
  if (!requirement) return { ok: false, reason: "invalid_payment_requirements" };
  if (!wrapped) return { ok: false, reason: "invalid_payload" };
  if (requirement.scheme !== "exact") return { ok: false, reason: "unsupported_scheme" };
  if (requirement.network !== network.id && requirement.network !== network.v1_name) {
    return { ok: false, reason: "invalid_network" };
  }
  const exact = readExact(wrapped.payload);
  if (!exact) return { ok: false, reason: "unsupported_payload_type" };
  const { authorization, signature } = exact;
  const payer = authorization.from;
  const refuse = (reason: string): Checked => ({ ok: false, reason, payer });

  if (requirement.asset.toLowerCase() !== network.asset.toLowerCase()) return refuse("asset_not_deployed_contract");
  const { name, version } = requirement.extra ?? {};
  if (name === undefined || version === undefined) return refuse("invalid_exact_evm_missing_eip712_domain");
  if (name !== network.eip712?.name) return refuse("invalid_exact_evm_token_name_mismatch");
  if (version !== network.eip712?.version) return refuse("invalid_exact_evm_token_version_mismatch");
  if (authorization.to.toLowerCase() !== requirement.payTo.toLowerCase()) {
    return refuse("invalid_exact_evm_recipient_mismatch");
  }
  if (authorization.value !== (requirement.amount ?? requirement.maxAmountRequired)) {
    return refuse("invalid_exact_evm_payload_authorization_value_mismatch");
  }
  const now_s = BigInt(Math.floor(now_ms / 1000));
  if (BigInt(authorization.validAfter) > now_s) return refuse("invalid_exact_evm_payload_authorization_valid_after");
  if (BigInt(authorization.validBefore) < now_s + SETTLE_S) {
    return refuse("invalid_exact_evm_payload_authorization_valid_before");
  }
  if (!(await isSignedBy(network, authorization, signature))) return refuse("invalid_exact_evm_signature");
  if (usdc.isUsed(authorization.from, authorization.nonce)) return refuse("invalid_exact_evm_nonce_already_used");
  if (usdc.balanceOf(authorization.from) < BigInt(authorization.value)) {
    return refuse("invalid_exact_evm_insufficient_balance");
  }
  return { ok: true, authorization };
}

async function isSignedBy(network: Network, authorization: Authorization, signature: string): Promise<boolean> {
  const { recoverTypedDataAddress } = await import("viem");
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  try {
    const signer = await recoverTypedDataAddress({
      domain: usdcDomain(network),
      types: TRANSFER_WITH_AUTHORIZATION,
      primaryType: "TransferWithAuthorization",
      message: {
        from: from as Hex,
        to: to as Hex,
        value: BigInt(value),
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
        nonce: nonce as Hex,
      },
      signature: signature as Hex,
    });
    return signer.toLowerCase() === from.toLowerCase();
  } catch {
    // No point on the curve: nobody signed this.
    return false;
  }
}
