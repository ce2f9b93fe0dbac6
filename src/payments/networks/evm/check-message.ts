import { toKeySignature } from "./key-signature.ts";
import { recoverSigner } from "./recover.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Whether a plain account signed a text by EIP-191 ("personal_sign"). A contract wallet's signature (ERC-1271) can only
 * be checked on the chain: false here.
 */
export async function checkEvmMessage(address: string, message: string, signature: string): Promise<boolean> {
  const key_signature = toKeySignature(signature);
  if (key_signature === null || !ADDRESS.test(address)) return false;
  const { hashMessage } = await import("./viem.ts");
  return (await recoverSigner(hashMessage(message), key_signature)) === address.toLowerCase();
}
