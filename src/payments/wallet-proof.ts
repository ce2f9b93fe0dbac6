import { createHash, createPublicKey, verify } from "node:crypto";
import { base32nopad, base58 } from "@scure/base";
import { renderTime } from "../core/clock.ts";
import { checkEvmMessage } from "./networks/evm/check-message.ts";
import type { Network } from "./networks/table.ts";

/** What the owner of a receiving wallet states about a node. Signed once, offline; anybody can check it. */
export interface WalletClaim {
  /** Where agents reach the node: "https://node.example.com". */
  readonly origin: string;
  readonly node_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly node_key: string;
  readonly network: Network;
  readonly address: string;
  /** Start of a day, ms. */
  readonly issued_at_ms: number;
}

const DAY_MS = 86_400_000;
const VALID_DAYS = 365;

export const startOfDay = (now_ms: number): number => now_ms - (now_ms % DAY_MS);
const datesOf = ({ issued_at_ms }: WalletClaim): readonly [string, string] => [
  renderTime(issued_at_ms),
  renderTime(issued_at_ms + VALID_DAYS * DAY_MS),
];

/** The text to sign: eight lines, LF between them, none at the end. */
export function renderStatement(claim: WalletClaim): string {
  const [issued_at, expires_at] = datesOf(claim);
  return [
    "intel-node wallet authorization v1",
    `origin: ${claim.origin}`,
    `node_id: ${claim.node_id}`,
    `node_key: ed25519:${claim.node_key}`,
    `network: ${claim.network.id}`,
    `address: ${claim.address}`,
    `issued_at: ${issued_at}`,
    `expires_at: ${expires_at}`,
  ].join("\n");
}

/** The proof as the configuration holds it: dates and signature; the rest of the statement is the node's own. */
export const renderProof = (claim: WalletClaim, signature: string): string => [...datesOf(claim), signature].join(" ");

const ED25519_KEY_BYTES = 32;
const ED25519_SIGNATURE_BYTES = 64;
const ALGORAND_CHECKSUM_BYTES = 4;

function decode(text: string, decoder: (text: string) => Uint8Array): Uint8Array | null {
  try {
    return decoder(text);
  } catch {
    return null;
  }
}

/** The key in an Algorand address: 32 bytes, then the end of their SHA-512/256. */
function readAlgorandAddress(address: string): Uint8Array | null {
  const bytes = decode(address, base32nopad.decode);
  if (bytes?.length !== ED25519_KEY_BYTES + ALGORAND_CHECKSUM_BYTES) return null;
  const key = bytes.subarray(0, ED25519_KEY_BYTES);
  const checksum = createHash("sha512-256").update(key).digest().subarray(-ALGORAND_CHECKSUM_BYTES);
  return checksum.equals(bytes.subarray(ED25519_KEY_BYTES)) ? key : null;
}

function readSolanaAddress(address: string): Uint8Array | null {
  const key = decode(address, base58.decode);
  return key?.length === ED25519_KEY_BYTES ? key : null;
}

/** Wallets hand signatures out in either form. */
function readSignature(text: string): Uint8Array | null {
  const forms = [decode(text, base58.decode), /^[A-Za-z0-9+/]{86}==$/.test(text) ? Buffer.from(text, "base64") : null];
  return forms.find((bytes) => bytes?.length === ED25519_SIGNATURE_BYTES) ?? null;
}

function checkEd25519(key: Uint8Array | null, message: string, signature: Uint8Array): boolean {
  if (!key) return false;
  const x = Buffer.from(key).toString("base64url");
  const public_key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.from(message), public_key, signature);
}

/**
 * Checks the signature over a statement.
 * @returns the signature in the form that is published (Base: hex, Solana: base58, Algorand: base64), or null.
 */
export async function checkWalletSignature(claim: WalletClaim, signature: string): Promise<string | null> {
  const statement = renderStatement(claim);
  const { address, network } = claim;
  if (network.wallet === "base") return (await checkEvmMessage(address, statement, signature)) ? signature : null;
  const bytes = readSignature(signature);
  if (!bytes) return null;
  if (network.wallet === "solana") {
    return checkEd25519(readSolanaAddress(address), statement, bytes) ? base58.encode(bytes) : null;
  }
  // What algosdk.signBytes signs: its own prefix keeps a text from being a transaction.
  const signed = checkEd25519(readAlgorandAddress(address), `MX${statement}`, bytes);
  return signed ? Buffer.from(bytes).toString("base64") : null;
}
