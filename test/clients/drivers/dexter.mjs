import { buyByFetch, need } from "./calls.mjs";

export async function load({ url, private_key }) {
  const { wrapFetch } = need(await import("@dexterai/x402/client"), "wrapFetch");
  const rpcUrls = { "eip155:84532": `${url}/no-rpc` };
  const settings = { evmPrivateKey: private_key, preferredNetwork: "eip155:84532", rpcUrls };
  return buyByFetch(wrapFetch(fetch, settings), url);
}
