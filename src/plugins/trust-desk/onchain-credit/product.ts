import { defineProduct, drawRows, exampleOf } from "intel-node";
import { blockscout } from "intel-node/providers/blockscout/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { goplus } from "intel-node/providers/goplus/provider";
import { requireAddress } from "../addresses/address.ts";
import { LIST_PROVIDERS } from "../lists/sanction-lists.ts";
import { WalletParams } from "../wallet-scan/schema.ts";
import { WALLET_PROVIDERS } from "../wallets/wallet.ts";
import { computeCredit } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchCredit } from "./fetch.ts";
import { gist } from "./gist.ts";
import { CreditSchema } from "./schema.ts";

const example = exampleOf({ address: "0x52908400098527886e0f7030069857d2e4169ee7" }, made);

export const product = defineProduct({
  path: "/onchain-credit",
  title: "On-chain credit score",
  description:
    "An explainable score of a wallet from 0 to 900: age, activity, balance, counterparties, leverage on Aave and " +
    "payments to this node, each with its points; caps for sanctions, mixers and youth. What is unknown adds nothing " +
    "and a cap whose input is unknown applies in full. No consumer credit report.",
  category: "trust",
  tags: ["wallet", "credit", "score", "reputation", "defi"],
  search: [
    "credit score of a wallet",
    "wallet reputation",
    "can I lend to this wallet",
    "score de crédito",
    "pontuação de crédito da carteira",
    "reputação de uma carteira",
    "creditworthiness",
  ],
  price_usd: "0.10",
  params: WalletParams,
  normalise: ({ address }) => (address === undefined ? {} : { address: requireAddress(address, "address").address }),
  data: CreditSchema,
  example,
  gist,
  providers: [...WALLET_PROVIDERS, goplus, ...LIST_PROVIDERS],
  requires: [[evmRpc], [blockscout]],
  uses_payer: true,
  uses_node: true,
  ttl: "5m",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.parts, {
        title: "What the score is made of",
        about: "Points; what is not known adds nothing.",
        unit: "number",
        bar: ({ id, points }) => [id, points],
      }),
    every: "1d",
    delay: "1h",
    params: [{ ...example.params }],
  },
  fetch: fetchCredit,
  compute: (inputs) => computeCredit(inputs),
});
