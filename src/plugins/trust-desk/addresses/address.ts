import { sha256 } from "@noble/hashes/sha2.js";
import { base58, createBase58check } from "@scure/base";
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

const base58check = createBase58check(sha256);
const hasChecksum = (text: string): boolean => {
  try {
    return base58check.decode(text).length > 0;
  } catch {
    return false;
  }
};

const HEX = /^(?:0x)?([0-9a-f]{40})$/i;
/** In a link, or after the network it is on: "eip155:1:0x…", "ethereum:0x…@1", "https://etherscan.io/address/0x…". */
const HEX_INSIDE = /(?:^|[^0-9a-z])(0x[0-9a-f]{40})(?![0-9a-z])/i;
/** One long word in both cases with several digits: not a name. */
const isAddressLike = (text: string): boolean =>
  /^[0-9A-Za-z]{26,110}$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /(?:\d\D*){3}/.test(text);
const isHexWallet = (text: string): boolean => /\d/.test(text) && /[a-f]/i.test(text);

/**
 * The wallet that a text means, hexadecimal ones as "0x" and lower case; null for a name.
 * @throws NodeError invalid_parameter for a text meant as an address that is not one: finding nothing about it would
 * say nothing.
 */
export function readWallet(text: string): string | null {
  const refuse = (why: string): never => {
    throw new NodeError("invalid_parameter", `name: ${why}`, { details: { param: "name", got: text } });
  };
  const [, bare] = HEX.exec(text) ?? [];
  if (bare !== undefined && (/^0x/i.test(text) || isHexWallet(bare))) return `0x${bare.toLowerCase()}`;
  const [, inside] = HEX_INSIDE.exec(text) ?? [];
  if (inside !== undefined) {
    return /\s/.test(text) ? refuse("it holds an address and other words: ask for one of them") : inside.toLowerCase();
  }
  if (/^0x[0-9a-f]{12,}$/i.test(text)) return refuse("an EVM address has 40 digits after 0x");
  const chain = guessChain(text);
  if ((chain === "bitcoin" || chain === "tron") && !/^bc1/i.test(text) && !hasChecksum(text)) {
    return refuse("its checksum is wrong: probably a slip of the finger, or its letters changed case");
  }
  if (chain === null && isAddressLike(text)) return refuse("it is written like an address, but not in a known form");
  return chain === null ? null : text;
}

/** The chain of a wallet's address by its form; null when the text is not an address of a known form. */
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
