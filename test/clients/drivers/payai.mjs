import { buyByFetch, need } from "./calls.mjs";

const NETWORK = "eip155:84532";

export async function load({ url, private_key }) {
  const { x402Client, x402HTTPClient } = need(await import("@payai/x402/client"), "x402Client", "x402HTTPClient");
  const { ExactEvmScheme } = await import("@x402/evm/exact/client");
  const { privateKeyToAccount } = await import("viem/accounts");
  const isBase = (_, accepts) => accepts.find(({ network }) => network === NETWORK);
  const client = new x402Client(isBase).register(NETWORK, new ExactEvmScheme(privateKeyToAccount(private_key)));
  const http = new x402HTTPClient(client);
  const pay = async (address, init = {}) => {
    const asked = await fetch(address, init);
    const required = http.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json());
    const paid = http.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
    return fetch(address, { ...init, headers: { ...init.headers, ...paid } });
  };
  return buyByFetch(pay, url);
}
