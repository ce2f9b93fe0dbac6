import { defineProduct, drawRows, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { SPOT_VENUES } from "intel-node/providers/spot-venues";
import { BITCOIN_NODES } from "../bitcoin/nodes.ts";
import { computeAnomalias } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchAnomalias } from "./fetch.ts";
import { gist } from "./gist.ts";
import { AnomaliasParams, AnomaliasSchema } from "./schema.ts";

const DEFAULT_THRESHOLD = 0.5;
const PREVIEW_LINES = 3;

const VENUES = CANDLE_VENUES.filter(({ intervals }) => intervals.includes("1h")).map(({ provider }) => provider);
const OTHERS = [solanaRpc, evmRpc, ...SPOT_VENUES, ...BITCOIN_NODES].map((one) =>
  "provider" in one ? one.provider : one,
);
const PROVIDERS = [...new Set([...VENUES, ...OTHERS])];

const example = exampleOf({ threshold: 0.5 }, made);

export const product = defineProduct({
  path: "/anomalias",
  title: "Market anomalies",
  description:
    "Everything statistically odd about twenty coins right now, most severe first: price moves, volume, range, " +
    "decoupling from Bitcoin, funding here and against other venues, open interest, stablecoins off their peg, " +
    "oracles that disagree, fee spikes. Each line with value, baseline, robust z and rarity; how many false alarms " +
    "to expect. An empty list is an answer.",
  category: "crypto-market",
  tags: ["anomaly", "outliers", "volatility", "funding", "depeg"],
  search: [
    "what is unusual in the market",
    "anything weird in crypto",
    "stablecoin depeg",
    "outliers",
    "USDT depeg",
    "USDC peg",
    "volume spike",
    "anomalias",
    "algo estranho no mercado",
    "fora do comum",
  ],
  price_usd: "0.03",
  params: AnomaliasParams,
  data: AnomaliasSchema,
  example,
  gist,
  providers: PROVIDERS,
  requires: [VENUES],
  ttl: "2m",
  max_age: "65m",
  deadline_ms: 12_000,
  preview: {
    rowCharts: (shown) =>
      drawRows(shown.anomalies, {
        title: "Most severe findings",
        about: "Severity, 0 to 1. With so many tests some findings are chance.",
        unit: "number",
        bar: ({ symbol, type, severity }) => [`${symbol} ${type}`, severity],
      }),

    every: "1h",
    delay: "1h",
    listed: ({ anomalies }) => ({ n: anomalies.length, of: "anomalies" }),
    redact: (data) => ({
      ...data,
      anomalies: data.anomalies.slice(0, PREVIEW_LINES).map((line) => ({ ...line, baseline: null })),
    }),
  },
  fetch: (context) => fetchAnomalias(context),
  compute: (inputs, { params }) => computeAnomalias(inputs, { threshold: params.threshold ?? DEFAULT_THRESHOLD }),
});
