import type { Hex } from "viem";
import type { NetworkFamily } from "../../types.ts";
import type { Network } from "../table.ts";
import { readEip3009 } from "./read.ts";

/** EIP-712 type of the signed message (EIP-3009). */
export const TRANSFER_WITH_AUTHORIZATION = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

const EOA_SIGNATURE_CHARS = 132;

/** The EIP-712 domain of a network's USDC. */
export const usdcDomain = (network: Network) => ({
  name: network.eip712?.name ?? "",
  version: network.eip712?.version ?? "",
  chainId: network.eip712?.chain_id ?? 0,
  verifyingContract: network.asset as Hex,
});

/**
 * Recovers the signer (ecrecover). A signature of another length, or one that recovers to someone else, may belong to a
 * contract wallet (ERC-1271), which only the chain can tell: "ask".
 */
export const checkEvmSignature: NetworkFamily["checkSignature"] = async ({ network, payload }) => {
  const signed = readEip3009(payload);
  if (!signed) return "no";
  if (signed.signature.length !== EOA_SIGNATURE_CHARS) return "ask";
  // Loaded at the first payment: keeps the start fast and a node that is never paid small.
  const { recoverTypedDataAddress } = await import("viem");
  const { from, to, value, validAfter, validBefore, nonce } = signed.authorization;
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
      signature: signed.signature as Hex,
    });
    return signer.toLowerCase() === from.toLowerCase() ? "yes" : "ask";
  } catch {
    // Not a point on the curve, or mixed-case addresses with a wrong checksum.
    return "ask";
  }
};
