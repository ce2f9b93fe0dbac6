import type { Hex } from "viem";
import type { NetworkFamily } from "../../types.ts";
import type { Network } from "../table.ts";
import { isWrapped, readWrapped } from "./contract-signature.ts";
import { toKeySignature } from "./key-signature.ts";
import { readEip3009 } from "./read.ts";
import { hashPermit, readPermit2 } from "./read-permit2.ts";
import { recoverSigner } from "./recover.ts";

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

/** Half of the order of secp256k1: USDC refuses the upper half of s, because both halves sign the same (EIP-2). */
const S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Whether contracts take a key's signature, as OpenZeppelin's ECDSA and USDC do, once it is in their spelling. The
 * upper half of s is no spelling: it is a second signature over the same, which no wallet makes.
 */
export const isTakenByContracts = (key_signature: string): boolean =>
  BigInt(`0x${key_signature.slice(66, 130)}`) <= S_MAX;

/** The EIP-712 domain of a network's USDC. */
export const usdcDomain = (network: Network) => ({
  name: network.eip712?.name ?? "",
  version: network.eip712?.version ?? "",
  chainId: network.eip712?.chain_id ?? 0,
  verifyingContract: network.asset as Hex,
});

type Authorization = NonNullable<ReturnType<typeof readEip3009>>["authorization"];

const typedAuthorization = (network: Network, authorization: Authorization) => {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    domain: usdcDomain(network),
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: "TransferWithAuthorization" as const,
    message: {
      from: from as Hex,
      to: to as Hex,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: nonce as Hex,
    },
  };
};

/** What is signed: the EIP-712 digest of an authorization. */
async function hashAuthorization(network: Network, authorization: Authorization): Promise<Hex> {
  // Loaded at the first payment: keeps the start fast and a node that is never paid small.
  const { hashTypedData } = await import("./viem.ts");
  return hashTypedData(typedAuthorization(network, authorization));
}

/** A signature, who should have made it, and over what. */
interface SignedMessage {
  readonly signature: string;
  readonly from: string;
  readonly hash: (network: Network) => Promise<Hex>;
}

/** What a payload was signed for: an authorization of the token, or a permit. Null for what is neither. */
export function readMessage(payload: Readonly<Record<string, unknown>>): SignedMessage | null {
  const transfer = readEip3009(payload);
  if (transfer !== null) {
    const { signature, authorization } = transfer;
    return { signature, from: authorization.from, hash: (network) => hashAuthorization(network, authorization) };
  }
  const permit = readPermit2(payload);
  if (permit === null) return null;
  const { signature, permit2Authorization } = permit;
  return { signature, from: permit2Authorization.from, hash: (network) => hashPermit(network, permit2Authorization) };
}

/**
 * Recovers the signer (ecrecover). A signature of another form, or one that recovers to someone else, may belong to a
 * contract wallet (ERC-1271), which only the chain can tell: "ask". One that is the payer's own, with a number that the
 * token's contract refuses, would fail when it is settled: "no". So is one that only ends like that of a wallet which
 * does not exist yet (ERC-6492).
 */
export const checkEvmSignature: NetworkFamily["checkSignature"] = async ({ network, payload }) => {
  const signed = readMessage(payload);
  if (!signed) return "no";
  const key_signature = toKeySignature(signed.signature);
  if (key_signature === null) {
    return isWrapped(signed.signature) && !(await readWrapped(signed.signature)) ? "no" : "ask";
  }
  try {
    const digest = await signed.hash(network);
    const signer = await recoverSigner(digest, key_signature);
    if (signer !== signed.from.toLowerCase()) return "ask";
    return isTakenByContracts(key_signature) ? "yes" : "no";
  } catch {
    // Mixed-case addresses with a wrong checksum.
    return "ask";
  }
};
