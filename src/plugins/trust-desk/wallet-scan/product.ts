import { defineProduct, drawRows, exampleOf } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { goplus } from "intel-node/providers/goplus/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { requireAddress } from "../addresses/address.ts";
import { LIST_PROVIDERS } from "../lists/sanction-lists.ts";
import { WALLET_PROVIDERS } from "../wallets/wallet.ts";
import { computeWalletScan } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchWallet } from "./fetch.ts";
import { gist } from "./gist.ts";
import { ROWS, WalletParams, WalletScanSchema } from "./schema.ts";

const example = exampleOf({ address: "0x52908400098527886e0f7030069857d2e4169ee7" }, made);

export const product = defineProduct({
  path: "/wallet-scan",
  title: "Wallet scan",
  description:
    "What a wallet holds on five EVM chains or Solana, first-hand from the chains' nodes, and what share of it has a " +
    "price; its age, activity and counterparties; contract, EIP-7702 and address poisoning; sanctions lists, oracle, " +
    "issuer freezes and labels. Unread data is reported, never counted as clear or as 0.",
  category: "trust",
  tags: ["wallet", "portfolio", "screening", "evm", "solana"],
  search: [
    "what does this wallet hold",
    "wallet balance",
    "tokens in a wallet",
    "wallet holdings",
    "net worth of a wallet",
    "saldo da carteira",
    "o que há nesta carteira",
    "scan an address",
    "tokens de uma carteira",
    "wallet portfolio",
    "balance of an address",
  ],
  price_usd: "0.10",
  params: WalletParams,
  normalise: ({ address, ...params }) =>
    address === undefined ? params : { ...params, address: requireAddress(address, "address").address },
  data: WalletScanSchema,
  long: ["holdings"],
  example,
  gist,
  providers: [...WALLET_PROVIDERS, goplus, ...LIST_PROVIDERS],
  requires: [[evmRpc], [solanaRpc]],
  uses_payer: true,
  ttl: "60s",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.holdings, {
        title: "Largest holdings",
        about: "US dollars; what has no price is left out.",
        unit: "usd",
        bar: ({ symbol, chain, value_usd }) => [`${symbol ?? "?"} ${chain}`, value_usd],
      }),
    every: "1d",
    delay: "1h",
    params: [{ ...example.params }],
  },
  tried: { order: 21, params: { ...example.params } },
  fetch: fetchWallet,
  compute: (inputs, { params: { rows = ROWS.default } }) => computeWalletScan(inputs, rows),
});
