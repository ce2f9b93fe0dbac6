import { defineProduct, drawRows, exampleOf, isSolanaAddress } from "intel-node";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { parseSubject } from "../facts/subject.ts";
import { computeCopytrade } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchCopytrade } from "./fetch.ts";
import { gist } from "./gist.ts";
import { CopytradeParams, CopytradeSchema, DAYS, HAIRCUT_BPS } from "./schema.ts";

/** @throws NodeError invalid_parameter for no address. */
function readWallet(text: string): string {
  if (isSolanaAddress(text.trim())) return text.trim();
  return parseSubject("wallet", text, "ethereum").address.toLowerCase();
}

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/copytrade",
  title: "Would copying a wallet have paid",
  description:
    "What a wallet made in the deepest pools of Ethereum, Base and Solana, and what a copier would have made who " +
    "paid more and got less each time: realised profit (first in, first out), share of wins with its interval, " +
    "holds, whether others rush in behind it, open positions, sanctions.",
  category: "tokens",
  tags: ["copy-trading", "wallet", "pnl", "dex", "backtest"],
  search: [
    "copy trading",
    "should I copy this wallet",
    "would copying pay",
    "follow a trader",
    "copiar carteira",
    "copiar trader",
    "vale a pena copiar esta carteira",
  ],
  price_usd: "0.06",
  params: CopytradeParams,
  normalise: ({ wallet, ...params }) => (wallet === undefined ? params : { ...params, wallet: readWallet(wallet) }),
  data: CopytradeSchema,
  long: ["recent_trades"],
  example,
  gist,
  providers: [evmRpc, solanaRpc, dexscreener],
  requires: [[evmRpc, solanaRpc], [dexscreener]],
  asks: { "/sanctions": "optional" },
  ttl: "2m",
  max_age: "50m",
  deadline_ms: 10_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.factors, {
        title: "What the score is made of",
        about: "Points of copyability; what is not known adds nothing.",
        unit: "number",
        bar: ({ id, points }) => [id, points],
      }),
    every: "6h",
    delay: "6h",
    redact: (data) => ({ ...data, recent_trades: data.recent_trades.slice(0, 3) }),
  },
  fetch: (context, { wallet, days = DAYS, haircut_bps = HAIRCUT_BPS }) =>
    fetchCopytrade(context, { days, haircut_bps, ...(wallet === undefined ? {} : { wallet }) }),
  compute: (inputs, { params: { haircut_bps = HAIRCUT_BPS } }) => computeCopytrade(inputs, haircut_bps),
});
