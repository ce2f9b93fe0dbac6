import { buyByFetch, need } from "./calls.mjs";

export async function load({ url, private_key }) {
  const { wrap } = need(await import("@faremeter/fetch"), "wrap");
  const { createPaymentHandler } = await import("@faremeter/payment-evm/exact");
  const { createLocalWallet } = await import("@faremeter/wallet-evm");
  const wallet = await createLocalWallet({ id: 84_532, name: "Base Sepolia" }, private_key);
  return buyByFetch(wrap(fetch, { handlers: [createPaymentHandler(wallet)] }), url);
}
