import type { NetworkFamily } from "../../types.ts";
import { askWallet } from "./ask-wallet.ts";
import { checkEvmSignature, hashAuthorization } from "./check-signature.ts";
import { readEip3009 } from "./read.ts";

/** Asks the wallet itself, where its own key did not sign the authorization. */
export const askEvmSignature: NonNullable<NetworkFamily["askSignature"]> = async ({ network, payload, rpc_urls }) => {
  const own = await checkEvmSignature({ network, payload });
  if (own !== "ask") return own === "yes";
  const signed = readEip3009(payload);
  if (!signed) return false;
  const { signature, authorization } = signed;
  const hash = await hashAuthorization(network, authorization);
  return askWallet({ rpc_urls, address: authorization.from, hash, signature });
};
