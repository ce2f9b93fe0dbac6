import { defineProduct, exampleOf } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { solanaRpc } from "intel-node/providers/solana-rpc/provider";
import { drawDefiYield } from "./charts.ts";
import { computeDefiYield } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { chooseReaders, fetchDefiYield, toProtocolName } from "./fetch.ts";
import { gist } from "./gist.ts";
import { DefiYieldParams, DefiYieldSchema, LIMIT_USUAL } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/defi-yield",
  title: "What capital earns, by the contracts",
  description:
    "Yields read from the protocols' own contracts on Ethereum, Base, Arbitrum, Optimism and Solana, by asset: Aave, " +
    "Spark, Compound, Moonwell, Fluid, Morpho, Sky, Lido, Rocket Pool, Coinbase, ether.fi, Frax, Maker, Ethena, " +
    "Jito, Marinade, BlazeStake. Base rate and rewards apart, value locked, growth of shares over 1, 7, 30 days, " +
    "falls, utilisation, caps, pauses; words of risk. Each row names contract and block.",
  category: "tokens",
  tags: ["defi", "yield", "apy", "lending", "staking"],
  search: [
    "where to earn yield",
    "best stablecoin yield",
    "Aave APY",
    "Lido staking yield",
    "USDC lending rate",
    "staking rewards",
    "rendimento em DeFi",
    "onde render USDC",
    "juros em stablecoin",
    "APY",
    "earn interest on USDC",
    "Morpho Compound Sky Ethena",
    "melhor rendimento",
  ],
  price_usd: "0.025",
  params: DefiYieldParams,
  normalise: ({ protocol, asset, ...params }) => {
    const named = {
      ...params,
      ...(protocol === undefined ? {} : { protocol: toProtocolName(protocol) }),
      ...(asset === undefined ? {} : { asset: asset.trim().toUpperCase() }),
    };
    chooseReaders(named);
    return named;
  },
  data: DefiYieldSchema,
  example,
  gist,
  providers: [evmRpc, solanaRpc],
  requires: [[evmRpc]],
  ttl: "10m",
  max_age: "150m",
  deadline_ms: 6_000,
  preview: {
    every: "1h",
    delay: "1h",
    redact: (data) => ({ ...data, pools: data.pools.slice(0, 5) }),
    charts: ({ inputs }) => drawDefiYield(inputs),
  },
  fetch: fetchDefiYield,
  compute: (inputs, { params: { protocol, asset, limit = LIMIT_USUAL } }) =>
    computeDefiYield(inputs, {
      limit,
      ...(protocol === undefined ? {} : { protocol }),
      ...(asset === undefined ? {} : { asset }),
    }),
});
