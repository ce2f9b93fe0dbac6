import { defineProduct, drawRows, exampleOf } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { CLOSED_MIN } from "../trades/traders.ts";
import { computeSmartMoney } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSmartMoney } from "./fetch.ts";
import { gist } from "./gist.ts";
import { SmartMoneyParams, SmartMoneySchema } from "./schema.ts";

const shorten = (address: string): string => `${address.slice(0, 6)}...${address.slice(-4)}`;

const example = exampleOf({ limit: 2 }, made);

export const product = defineProduct({
  path: "/smart-money",
  title: "Wallets that made money",
  description:
    "Wallets that made money in the deepest pools of Ethereum, Base and Solana, by realised profit (first in, first " +
    "out), how sure their share of wins is, and tokens traded; programs and sanctioned wallets left out. What they " +
    "buy and sell now, token by token, and which part of the chains was read.",
  category: "tokens",
  tags: ["smart-money", "wallets", "pnl", "dex", "on-chain"],
  search: [
    "quais carteiras lucram mais",
    "smart money wallets",
    "profitable wallets",
    "best traders on chain",
    "what is smart money buying",
    "carteiras lucrativas",
    "o que o smart money compra",
    "carteiras vencedoras",
    "top traders",
    "winning wallets",
  ],
  price_usd: "0.05",
  params: SmartMoneyParams,
  data: SmartMoneySchema,
  example,
  gist,
  providers: [evmRpc, solanaRpc, dexscreener],
  requires: [[evmRpc, solanaRpc], [dexscreener]],
  asks: { "/sanctions": "optional" },
  ttl: "60s",
  max_age: "50m",
  deadline_ms: 8_000,
  preview: {
    listed: ({ wallets }) => ({ n: wallets.length, of: "wallets" }),
    rowCharts: (shown) =>
      drawRows([...shown.accumulating, ...shown.distributing], {
        title: "Bought less sold by the ranked wallets",
        about: "24 hours, US dollars, by token. Names are anybody's text.",
        unit: "usd",
        bar: ({ symbol, net_usd_24h }) => [symbol ?? "", net_usd_24h],
      }),

    every: "6h",
    delay: "6h",
    redact: (data) => ({
      ...data,
      wallets: data.wallets.slice(0, 5).map((one) => ({ ...one, address: shorten(one.address) })),
    }),
  },
  fetch: (context, { days = 7, min_closed = CLOSED_MIN, chain }) =>
    fetchSmartMoney(context, { days, min_closed, ...(chain === undefined ? {} : { chain }) }),
  compute: (inputs, { params: { limit = 10 } }) => computeSmartMoney(inputs, { limit }),
});
