import { base58 } from "@scure/base";

const FORM = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const KEY_BYTES = 32;

/** The 32 bytes of a Solana address (base58), or null when the text is not an address. It has no checksum. */
export function decodeSolanaAddress(text: string): Uint8Array | null {
  if (!FORM.test(text)) return null;
  const bytes = base58.decode(text);
  return bytes.length === KEY_BYTES ? bytes : null;
}

/** Whether a text is an address of Solana: 32 bytes in base58. */
export const isSolanaAddress = (text: string): boolean => decodeSolanaAddress(text) !== null;
