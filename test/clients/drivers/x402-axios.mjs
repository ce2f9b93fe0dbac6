import { buyByAxios, need } from "./calls.mjs";

export async function load({ url, private_key }) {
  const { wrapAxiosWithPayment, x402Client } = need(await import("@x402/axios"), "wrapAxiosWithPayment", "x402Client");
  const { ExactEvmScheme } = await import("@x402/evm/exact/client");
  const { privateKeyToAccount } = await import("viem/accounts");
  const { default: axios } = await import("axios");
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(privateKeyToAccount(private_key)));
  return buyByAxios(wrapAxiosWithPayment(axios.create(), client), url);
}
