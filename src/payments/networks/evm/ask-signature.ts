import type { NetworkFamily } from "../../types.ts";
import { askWallet } from "./ask-wallet.ts";
import { checkEvmSignature, readMessage } from "./check-signature.ts";

/** Asks the wallet itself, where its own key did not sign the authorization or permit. */
export const askEvmSignature: NonNullable<NetworkFamily["askSignature"]> = async ({ network, payload, rpc_urls }) => {
  const own = await checkEvmSignature({ network, payload });
  if (own !== "ask") return own === "yes";
  const signed = readMessage(payload);
  if (!signed) return false;
  const { signature, from } = signed;
  return askWallet({ rpc_urls, address: from, hash: await signed.hash(network), signature });
};
