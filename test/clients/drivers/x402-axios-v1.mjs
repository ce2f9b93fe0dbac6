import { buyByAxios, need } from "./calls.mjs";

/** Version 1 of the protocol, which is asked for in the address. */
export async function load({ url, private_key }) {
  const { withPaymentInterceptor } = need(await import("x402-axios"), "withPaymentInterceptor");
  const { privateKeyToAccount } = await import("viem/accounts");
  const { default: axios } = await import("axios");
  return buyByAxios(withPaymentInterceptor(axios.create(), privateKeyToAccount(private_key)), url, {
    x402Version: "1",
  });
}
