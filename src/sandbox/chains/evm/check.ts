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
const Choice = Type.Object({ scheme: Type.String(), network: Type.String() });
const Payload = Type.Record(Type.String(), Type.Unknown());
/** Version 2 echoes the chosen requirement; version 1 names scheme and network beside the payload. */
const Wrapped = Type.Union([
  Type.Object({ x402Version: Type.Literal(2), accepted: Choice, payload: Payload }),
  Type.Object({ x402Version: Type.Literal(1), ...Choice.properties, payload: Payload }),
]);
const Exact = Type.Object(
  { signature: Type.String({ pattern: "^0x(?:[0-9a-fA-F]{2}){1,4096}$" }), authorization: Authorization },
  { additionalProperties: false },
);
const Domain = Type.Object({ name: Type.String({ minLength: 1 }), version: Type.String({ minLength: 1 }) });
const readRequirement = createReader(Requirement);
const readWrapped = createReader(Wrapped);
const readExact = createReader(Exact);
const readDomain = createReader(Domain);

export type Checked =
  | { readonly ok: true; readonly authorization: Authorization }
  | { readonly ok: false; readonly reason: string; readonly payer?: string };

/** The least seconds a settlement needs, as in the reference facilitator. */
const SETTLE_S = 6n;
/**
 * r, s and v: the 65 bytes that an account without code signs with. This chain has no contract wallets. The token
 * accepts only 27 and 28 as v.
 */
const SIGNATURE = /^0x[0-9a-fA-F]{64}([0-9a-fA-F]{64})(?:1[bB]|1[cC])$/;
/** Half of the order of secp256k1. The token refuses a larger s, because each signature has a twin there (EIP-2). */
const S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

type Requirement = NonNullable<ReturnType<typeof readRequirement>>;

/**
 * Runs every check of the `exact` scheme on EVM, with real signature recovery. Reasons and order are those of the
 * reference facilitator, whose last checks are those of the token contract.
 */
export async function checkExact(
  given: { readonly payload: unknown; readonly requirement: unknown },
  chain: { readonly network: Network; readonly usdc: Usdc; readonly now_ms: number },
): Promise<Checked> {
  const requirement = readRequirement(given.requirement);
  const wrapped = readWrapped(given.payload);
  if (!requirement) return { ok: false, reason: "invalid_payment_requirements" };
  if (!wrapped) return { ok: false, reason: "invalid_payload" };
  const chosen = wrapped.x402Version === 2 ? wrapped.accepted : wrapped;
  if (requirement.scheme !== "exact" || chosen.scheme !== "exact") return { ok: false, reason: "unsupported_scheme" };
  const { network } = chain;
  const network_name = wrapped.x402Version === 2 ? network.id : network.v1_name;
  if (requirement.network !== network_name) return { ok: false, reason: "invalid_network" };
  const exact = readExact(wrapped.payload);
  if (!exact) return { ok: false, reason: "unsupported_payload_type" };
  const { authorization } = exact;
  const refuse = (reason: string): Checked => ({ ok: false, reason, payer: authorization.from });

  const domain = readDomain(requirement.extra);
  if (!domain) return refuse("invalid_exact_evm_missing_eip712_domain");
  if (chosen.network !== requirement.network) return refuse("invalid_exact_evm_network_mismatch");
  const signed = { network, asset: requirement.asset, ...domain, ...exact };
  if (!(await isSignedByPayer(signed))) return refuse("invalid_exact_evm_signature");
  const reason = checkTerms(authorization, requirement, chain.now_ms) ?? checkToken(authorization, requirement, chain);
  return reason === null ? { ok: true, authorization } : refuse(reason);
}

/** Compares the signed terms with the requirement. */
function checkTerms(authorization: Authorization, requirement: Requirement, now_ms: number): string | null {
  const { to, value, validAfter, validBefore } = authorization;
  if (to.toLowerCase() !== requirement.payTo.toLowerCase()) return "invalid_exact_evm_recipient_mismatch";
  const now_s = BigInt(Math.floor(now_ms / 1000));
  if (BigInt(validBefore) < now_s + SETTLE_S) return "invalid_exact_evm_payload_authorization_valid_before";
  if (BigInt(validAfter) > now_s) return "invalid_exact_evm_payload_authorization_valid_after";
  if (value !== (requirement.amount ?? requirement.maxAmountRequired)) {
    return "invalid_exact_evm_payload_authorization_value_mismatch";
  }
  return null;
}

/** The token contract's answer to the transfer. */
function checkToken(
  authorization: Authorization,
  { asset, extra }: Requirement,
  { network, usdc }: { readonly network: Network; readonly usdc: Usdc },
): string | null {
  if (asset.toLowerCase() !== network.asset.toLowerCase()) return "asset_not_deployed_contract";
  if (usdc.isUsed(authorization.from, authorization.nonce)) return "invalid_exact_evm_nonce_already_used";
  if (extra?.name !== network.eip712?.name) return "invalid_exact_evm_token_name_mismatch";
  if (extra?.version !== network.eip712?.version) return "invalid_exact_evm_token_version_mismatch";
  if (usdc.balanceOf(authorization.from) < BigInt(authorization.value)) return "invalid_exact_evm_insufficient_balance";
  return null;
}

interface Signed {
  readonly network: Network;
  readonly asset: string;
  readonly name: string;
  readonly version: string;
  readonly authorization: Authorization;
  readonly signature: string;
}

/** Whether `from` signed this authorization for the token the requirement describes. */
async function isSignedByPayer({ network, asset, name, version, authorization, signature }: Signed): Promise<boolean> {
  const s = SIGNATURE.exec(signature)?.[1];
  if (s === undefined || BigInt(`0x${s}`) > S_MAX) return false;
  const { recoverTypedDataAddress } = await import("../../../payments/networks/evm/viem.ts");
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  try {
    // The schema checked all these forms except the asset's; the recovery throws if that is not an address.
    const signer = await recoverTypedDataAddress({
      domain: { ...usdcDomain(network), name, version, verifyingContract: asset as Hex },
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
    // Not a point on the curve, not an address, or not a 256-bit number: nobody signed this.
    return false;
  }
}
