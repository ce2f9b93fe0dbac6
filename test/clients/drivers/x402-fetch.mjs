import { buyByFetch, need } from "./calls.mjs";

export async function load({ url, private_key }) {
  const { wrapFetchWithPayment, x402Client } = need(await import("@x402/fetch"), "wrapFetchWithPayment", "x402Client");
  const { ExactEvmScheme } = await import("@x402/evm/exact/client");
  const { privateKeyToAccount } = await import("viem/accounts");
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(privateKeyToAccount(private_key)));
  return buyByFetch(wrapFetchWithPayment(fetch, client), url);
}
