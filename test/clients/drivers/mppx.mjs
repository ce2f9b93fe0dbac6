import { buyByFetch, need } from "./calls.mjs";

export async function load({ url, private_key }) {
  const { Mppx } = need(await import("mppx/client"), "Mppx");
  const { evm } = await import("mppx/evm/client").catch((cause) => {
    throw new Error("has no mppx/evm/client: it pays on Tempo or by card alone", { cause });
  });
  const { privateKeyToAccount } = await import("viem/accounts");
  const account = privateKeyToAccount(private_key);
  const method = evm.charge({ account, currencies: [evm.assets.baseSepolia.USDC] });
  return buyByFetch(Mppx.create({ methods: [method], polyfill: false }).fetch, url);
}
