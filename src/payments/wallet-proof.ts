import { createPublicKey, verify } from "node:crypto";
import { base58, hex } from "@scure/base";
import { decodeAlgorandAddress } from "../core/algorand-address.ts";
import { renderTime } from "../core/clock.ts";
import { decodeSolanaAddress } from "../core/solana-address.ts";
import { renderWalletStatement } from "../core/wallet-statement.ts";
import { checkEvmMessage } from "./networks/evm/check-message.ts";
import { spellSignature } from "./networks/evm/key-signature.ts";
import { type Network, networkById } from "./networks/table.ts";
import type { AddressSignedText } from "./types.ts";

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

/** The text to sign. */
export function renderStatement({ network, ...claim }: WalletClaim): string {
  const expires_at_ms = claim.issued_at_ms + VALID_DAYS * DAY_MS;
  return renderWalletStatement({ ...claim, network: network.id, expires_at_ms });
}

/** The proof as the configuration holds it: dates and signature; the rest of the statement is the node's own. */
export const renderProof = (claim: WalletClaim, signature: string): string => [...datesOf(claim), signature].join(" ");

/** What the configuration holds of a statement. */
export interface ConfiguredProof {
  readonly issued_at_ms: number;
  readonly expires_at_ms: number;
  readonly signature: string;
}

const PROOF = /^(\d{4}-\d\d-\d\dT00:00:00Z) (\d{4}-\d\d-\d\dT00:00:00Z) (\S{80,200})$/;

/** Reads what `renderProof` wrote; null when it is anything else. */
export function parseProof(text: string): ConfiguredProof | null {
  const [, issued = "", expires = "", signature = ""] = PROOF.exec(text.trim()) ?? [];
  const [issued_at_ms, expires_at_ms] = [Date.parse(issued), Date.parse(expires)];
  return expires_at_ms - issued_at_ms === VALID_DAYS * DAY_MS ? { issued_at_ms, expires_at_ms, signature } : null;
}

const ED25519_SIGNATURE_BYTES = 64;
const SIGNATURE_CHARS_MAX = 200;

function decode(text: string, decoder: (text: string) => Uint8Array): Uint8Array | null {
  try {
    return decoder(text);
  } catch {
    return null;
  }
}

/** Wallets hand signatures out in any of these forms. */
function readSignature(text: string): Uint8Array | null {
  if (text.length > SIGNATURE_CHARS_MAX) return null;
  const forms = [
    decode(text, base58.decode),
    /^[A-Za-z0-9+/]{86}==$/.test(text) ? Buffer.from(text, "base64") : null,
    /^(0x)?[0-9a-fA-F]{128}$/.test(text) ? hex.decode(text.replace(/^0x/, "").toLowerCase()) : null,
  ];
  return forms.find((bytes) => bytes?.length === ED25519_SIGNATURE_BYTES) ?? null;
}

function checkEd25519(key: Uint8Array | null, message: string, signature: Uint8Array): boolean {
  if (!key) return false;
  const x = Buffer.from(key).toString("base64url");
  const public_key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.from(message), public_key, signature);
}

/** Which bytes a wallet of a chain signs for a text, and how. */
export const METHODS = { base: "eip191", solana: "ed25519", algorand: "algorand-mx" } as const;

export interface WalletSignedText {
  readonly wallet: Network["wallet"];
  readonly address: string;
  readonly text: string;
  readonly signature: string;
}

/**
 * Checks a wallet's signature over a text.
 * @returns the signature in the form that is published (Base: hex, Solana: base58, Algorand: base64), or null.
 */
export async function checkSignedText({ wallet, address, text, signature }: WalletSignedText): Promise<string | null> {
  if (wallet === "base") return (await checkEvmMessage(address, text, signature)) ? spellSignature(signature) : null;
  const bytes = readSignature(signature);
  if (!bytes) return null;
  if (wallet === "solana") {
    return checkEd25519(decodeSolanaAddress(address), text, bytes) ? base58.encode(bytes) : null;
  }
  // What algosdk.signBytes signs: its own prefix keeps a text from being a transaction.
  const signed = checkEd25519(decodeAlgorandAddress(address), `MX${text}`, bytes);
  return signed ? Buffer.from(bytes).toString("base64") : null;
}

/** Whether a wallet signed a text, by the rules of its network; false for a network we do not know. */
export async function isSignedByWallet(signed: AddressSignedText & { readonly network: string }): Promise<boolean> {
  const { network: id, address, text, signature } = signed;
  const network = networkById(id);
  return (
    network !== undefined && (await checkSignedText({ wallet: network.wallet, address, text, signature })) !== null
  );
}

/** Checks the signature over a statement; as `checkSignedText`. */
export const checkWalletSignature = (claim: WalletClaim, signature: string): Promise<string | null> =>
  checkSignedText({
    wallet: claim.network.wallet,
    address: claim.address,
    text: renderStatement(claim),
    signature,
  });
