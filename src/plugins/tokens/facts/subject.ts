import { checksumAddress, isAddress, isSolanaAddress, NodeError } from "intel-node";
import { findIssuerToken, type TokenChain } from "intel-node/providers/issuer-tokens";

/** A token by chain and address, which alone is its name. */
export interface Subject {
  readonly chain: TokenChain;
  /** EIP-55 or base58. */
  readonly address: string;
}

export const isEVM = ({ chain }: Pick<Subject, "chain">): boolean => chain !== "solana";
export const isIssuer = ({ chain, address }: Subject): boolean => findIssuerToken(chain, address) !== undefined;

/**
 * Reads an address a buyer gave. Without a chain a hex address is taken for Base's.
 * @throws NodeError invalid_parameter when it is not an address, or not one of that chain.
 */
export function parseSubject(parameter: string, address: string, chain?: TokenChain): Subject {
  const text = address.trim();
  const refuse = (why: string) =>
    new NodeError("invalid_parameter", `"${parameter}" ${why}`, { details: { parameter, got: text.slice(0, 80) } });
  if (/^0x/i.test(text)) {
    if (!isAddress(text)) throw refuse("is no address: it has another length, or its checksum (EIP-55) is wrong");
    if (chain === "solana") throw refuse("is an address of another chain than solana");
    return { chain: chain ?? "base", address: checksumAddress(text) };
  }
  if (!isSolanaAddress(text)) throw refuse("is no address of Solana (base58 of 32 bytes) and no hex address");
  if (chain !== undefined && chain !== "solana") throw refuse(`is an address of Solana, not of ${chain}`);
  return { chain: "solana", address: text };
}
