import { buyByFetch, need } from "./calls.mjs";

/** Version 1 of the protocol, which is asked for in the address. */
export async function load({ url, private_key }) {
  const { wrapFetchWithPayment } = need(await import("x402-fetch"), "wrapFetchWithPayment");
  const { privateKeyToAccount } = await import("viem/accounts");
  // It spends 0.1 USDC at most unless it is told otherwise.
  const pay = wrapFetchWithPayment(fetch, privateKeyToAccount(private_key), 1_000_000n);
  return buyByFetch(pay, url, { x402Version: "1" });
}
