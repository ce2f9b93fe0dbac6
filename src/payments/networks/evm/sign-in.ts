import type { Hex } from "viem";
import type { TextSigning } from "../../types.ts";
import { askWallet } from "./ask-wallet.ts";
import { checkEvmMessage } from "./check-message.ts";
import { hasKeyForm, isWrapped, readWrapped } from "./contract-signature.ts";

/** Bytes in hex; the longest that contract wallets make are of a few kilobytes. */
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){1,4096}$/;

/** How wallets of EVM networks sign a text: EIP-191, by their key or by their contract. */
export const evmTextSigning: TextSigning = {
  type: "eip191",
  account: "Ethereum",
  chainOf: ({ id }) => id.slice("eip155:".length),
  isSignature: (signature) => SIGNATURE.test(signature),
  async check({ address, text, signature }) {
    if (hasKeyForm(signature)) return (await checkEvmMessage(address, text, signature)) ? "yes" : "ask";
    return isWrapped(signature) && !(await readWrapped(signature)) ? "no" : "ask";
  },
  async ask({ address, text, signature, rpc_urls }) {
    const { hashMessage } = await import("./viem.ts");
    return askWallet({ rpc_urls, address, hash: hashMessage(text), signature: signature as Hex });
  },
};
