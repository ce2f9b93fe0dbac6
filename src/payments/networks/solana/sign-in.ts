import { createPublicKey, verify } from "node:crypto";
import { base58 } from "@scure/base";
import { decodeSolanaAddress } from "../../../core/solana-address.ts";
import type { TextSigning } from "../../types.ts";

const SIGNATURE_BYTES = 64;
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/**
 * Points of the curve whose order is 8 or less, in every way they are written, without the sign: for such a "key"
 * anybody can make signatures. Source: RFC 8032 section 5.1, and the multiples of the torsion point.
 */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);

function isSmallOrder(key: Uint8Array): boolean {
  const y = Buffer.from(key);
  y[31] = (y[31] ?? 0) & 0x7f;
  return SMALL_ORDER.has(y.toString("hex"));
}

function readSignature(text: string): Uint8Array | null {
  if (!SIGNATURE.test(text)) return null;
  const bytes = base58.decode(text);
  return bytes.length === SIGNATURE_BYTES ? bytes : null;
}

/** How wallets of Solana sign a text: Ed25519 over its bytes, by the key that is the address. */
export const solanaTextSigning: TextSigning = {
  type: "ed25519",
  account: "Solana",
  chainOf: ({ id }) => id.slice("solana:".length),
  isSignature: (signature) => readSignature(signature) !== null,
  async check({ address, text, signature }) {
    const key = decodeSolanaAddress(address);
    const bytes = readSignature(signature);
    if (!key || !bytes || isSmallOrder(key)) return "no";
    try {
      const x = Buffer.from(key).toString("base64url");
      const public_key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
      return verify(null, Buffer.from(text), public_key, bytes) ? "yes" : "no";
    } catch {
      // No point on the curve: nobody can have signed with it.
      return "no";
    }
  },
};
