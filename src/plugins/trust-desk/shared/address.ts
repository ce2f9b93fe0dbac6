import { base58 } from "@scure/base";
import { isAddress, isSolanaAddress, NodeError } from "intel-node";

export type WalletKind = "evm" | "solana";

export interface WalletAddress {
  readonly kind: WalletKind;
  /** EVM addresses in lower case. */
  readonly address: string;
}

/** An EVM or Solana address; null when the text is neither, or its EIP-55 checksum is wrong. */
export function parseAddress(text: string): WalletAddress | null {
  if (isAddress(text)) return { kind: "evm", address: text.toLowerCase() };
  return isSolanaAddress(text) ? { kind: "solana", address: text } : null;
}

/** @throws NodeError invalid_parameter */
export function requireAddress(text: string, param: string): WalletAddress {
  const parsed = parseAddress(text.trim());
  if (parsed) return parsed;
  const why = /^0x[0-9a-fA-F]{40}$/.test(text)
    ? "its EIP-55 checksum is wrong: probably a slip of the finger"
    : "it is neither an EVM nor a Solana address";
  throw new NodeError("invalid_parameter", `${param}: ${why}`, { details: { param } });
}

const hasBytes = (text: string, bytes: number): boolean => {
  try {
    return base58.decode(text).length === bytes;
  } catch {
    return false;
  }
};

/** What chain a wallet's address looks like one of; null when the text is no address of a known form. */
export function guessChain(text: string): string | null {
  if (isAddress(text)) return "evm";
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return "evm";
  if (/^bc1[0-9a-z]{25,80}$/i.test(text)) return "bitcoin";
  if (/^ltc1[0-9a-z]{25,80}$/i.test(text)) return "litecoin";
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return "tron";
  if (/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return "xrp";
  if (/^[13][1-9A-HJ-NP-Za-km-z]{25,34}$/.test(text) && hasBytes(text, 25)) return "bitcoin";
  if (isSolanaAddress(text)) return "solana";
  // Monero, Zcash, Dash and others: long, without a space, with digits.
  return /^(?=.*\d)[1-9A-HJ-NP-Za-km-z]{30,110}$/.test(text) ? "other" : null;
}
