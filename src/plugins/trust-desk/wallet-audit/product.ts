import { defineProduct, exampleOf } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { goplus } from "intel-node/providers/goplus/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { requireAddress } from "../addresses/address.ts";
import { LIST_PROVIDERS } from "../lists/sanction-lists.ts";
import { ofac } from "../providers/ofac/provider.ts";
import { fetchWallet } from "../wallet-scan/fetch.ts";
import { WalletParams } from "../wallet-scan/schema.ts";
import { WALLET_PROVIDERS } from "../wallets/wallet.ts";
import { computeWalletAudit } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { gist } from "./gist.ts";
import { WalletAuditSchema } from "./schema.ts";

const example = exampleOf({ address: "0x52908400098527886e0f7030069857d2e4169ee7" }, made);

export const product = defineProduct({
  path: "/job/wallet-audit",
  title: "Wallet audit",
  description:
    "BLOCK, CAUTION or CLEAR before you deal with a wallet: sanctions lists, oracle, issuer freezes, labels, " +
    "sanctioned counterparties, age, contract and EIP-7702 code, address poisoning. Each screen says hit, clear or " +
    "unknown; CLEAR needs every required screen, so that silence never makes a verdict better.",
  category: "trust",
  tags: ["wallet", "risk", "compliance", "screening", "aml"],
  search: [
    "is this wallet safe to deal with",
    "AML check of a wallet",
    "KYT",
    "wallet compliance check",
    "is this address clean",
    "auditar carteira",
    "esta carteira é segura",
    "verificação de carteira",
    "compliance de carteira",
    "block or clear a wallet",
  ],
  price_usd: "0.15",
  params: WalletParams,
  normalise: ({ address }) => (address === undefined ? {} : { address: requireAddress(address, "address").address }),
  data: WalletAuditSchema,
  example,
  gist,
  providers: [...WALLET_PROVIDERS, goplus, ...LIST_PROVIDERS],
  requires: [[ofac], [evmRpc], [solanaRpc]],
  uses_payer: true,
  ttl: "60s",
  deadline_ms: 12_000,
  preview: { every: "1d", delay: "1h", params: [{ ...example.params }] },
  fetch: fetchWallet,
  compute: (inputs) => computeWalletAudit(inputs),
});
