import { Type } from "@sinclair/typebox";
import type { Hex } from "viem";
import { messageOf } from "../../../core/errors.ts";
import { createReader } from "../../codec.ts";
import { createJSONRPC } from "../json-rpc.ts";
import { hasKeyForm, isWrapped, readWrapped } from "./contract-signature.ts";

/** What `isValidSignature(bytes32,bytes)` of ERC-1271 is called by, and what it answers for a good one. */
const IS_VALID = "0x1626ba7e";
const REVERTED = /revert|invalid opcode|out of gas/i;
const readCode = createReader(Type.String({ pattern: "^0x([0-9a-fA-F]{2})*$", maxLength: 100_000 }));
const readWord = createReader(Type.String({ pattern: "^0x[0-9a-fA-F]{64,}$", maxLength: 1_000 }));

export interface WalletQuestion {
  readonly rpc_urls: readonly string[];
  readonly address: string;
  /** What was signed. */
  readonly hash: Hex;
  /** Hex. */
  readonly signature: string;
}

/**
 * Asks the wallet itself, as its chain runs it (ERC-1271), whether it signed. A wallet that does not exist yet cannot
 * be asked: null. An account without code signs with its key alone.
 * @throws Error when no endpoint answers.
 * Source: https://eips.ethereum.org/EIPS/eip-1271, https://eips.ethereum.org/EIPS/eip-6492
 */
export async function askWallet({ rpc_urls, address, hash, signature }: WalletQuestion): Promise<boolean | null> {
  const wrapped = isWrapped(signature) ? await readWrapped(signature) : null;
  const rpc = createJSONRPC(rpc_urls);
  const code = readCode(await rpc("eth_getCode", [address, "latest"]));
  if (code === null) throw new Error("unexpected answer to eth_getCode");
  if (code === "0x") return wrapped === null && hasKeyForm(signature) ? false : null;
  const { encodeFunctionData, parseAbi } = await import("./viem.ts");
  const data = encodeFunctionData({
    abi: parseAbi(["function isValidSignature(bytes32, bytes) view returns (bytes4)"]),
    args: [hash, wrapped?.inner ?? (signature as Hex)],
  });
  try {
    const word = readWord(await rpc("eth_call", [{ to: address, data }, "latest"]));
    return word?.slice(0, 10).toLowerCase() === IS_VALID;
  } catch (error) {
    // A wallet that reverts says no; an endpoint that fails says nothing.
    if (REVERTED.test(messageOf(error))) return false;
    throw error;
  }
}
