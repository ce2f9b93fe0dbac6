import type { Hex } from "viem";
import { toKeySignature } from "./key-signature.ts";

/** What an ERC-6492 signature ends with. */
const MAGIC = "6492".repeat(16);
const NO_ADDRESS = /^0x0{40}$/;

/** Whether a signature is that of a plain account by its form: 65 bytes, or the 64 of EIP-2098. */
export const hasKeyForm = (signature: string): boolean =>
  signature.length === 2 + 2 * 65 || toKeySignature(signature) !== null;

/** Whether a signature says that it is of a contract wallet that does not exist yet (ERC-6492). */
export const isWrapped = (signature: string): boolean => signature.toLowerCase().endsWith(MAGIC);

/**
 * Takes an ERC-6492 signature apart: the wallet's own signature, and who would create the wallet.
 * @returns null for what only ends like one: official facilitators answer 500 to it.
 */
export async function readWrapped(signature: string): Promise<{ readonly factory: Hex; readonly inner: Hex } | null> {
  const { parseErc6492Signature } = await import("./viem.ts");
  try {
    const { address, data, signature: inner } = parseErc6492Signature(signature as Hex);
    if (address === undefined || data === undefined || NO_ADDRESS.test(address)) return null;
    return data === "0x" || inner === "0x" || isWrapped(inner) ? null : { factory: address, inner };
  } catch {
    // Offsets or lengths that lead out of it.
    return null;
  }
}
