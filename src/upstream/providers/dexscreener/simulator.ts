import { defineSimulator } from "../../../catalog/simulator.ts";
import { USDC } from "../dex-tokens.ts";
import { findSimulatedToken, getSimulatedLiquidity, getSimulatedPoolPrice, isDexChain } from "../simulated-dex.ts";
import { renderPrice, unknownPath } from "../simulated-market.ts";
import { listSimulatedPairsWith, renderTokenPair, searchSimulatedPairs } from "./simulated-pairs.ts";

const PATH = /^\/token-pairs\/v1\/([a-z]{2,20})\/([A-Za-z0-9]{32,44})$/;
const TOKENS = /^\/tokens\/v1\/([a-z]{2,20})\/([A-Za-z0-9,]{32,1400})$/;
/** A thin pool with an absurd price, as real tables have them. */
const THIN = { price_factor: 40, liquidity_usd: 900, change_pct: 3.7e42 };

export const simulator = defineSimulator({
  provider: "dexscreener",
  respond({ path, query }, world) {
    const [, listed_chain = "", listed = ""] = TOKENS.exec(path) ?? [];
    if (listed !== "") {
      return { json: listed.split(",").flatMap((one) => renderTokenPair(world, listed_chain, one) ?? []) };
    }
    if (path === "/latest/dex/search") {
      return { json: { schemaVersion: "1.0.0", pairs: searchSimulatedPairs(world, query.get("q") ?? "") } };
    }
    const [, chain = "", address = ""] = PATH.exec(path) ?? [];
    if (address === "") return unknownPath();
    const token = isDexChain(chain) ? findSimulatedToken(chain, address) : undefined;
    if (!isDexChain(chain) || !token) return { json: [] };
    const price = getSimulatedPoolPrice(world, chain, token);
    const baseToken = { address: token.address, name: token.name, symbol: token.name };
    const quoteToken = { address: USDC[chain], name: "USD Coin", symbol: "USDC" };
    const pair = {
      chainId: chain,
      dexId: chain === "solana" ? "raydium" : "uniswap",
      pairAddress: token.address,
      labels: ["v3"],
      baseToken,
      quoteToken,
      priceNative: renderPrice(price),
      priceUsd: renderPrice(price),
      txns: { h24: { buys: 912, sells: 628 } },
      volume: { h24: 121_060.89 },
      priceChange: { h24: -1.57 },
      liquidity: { usd: getSimulatedLiquidity(world, chain, token), base: 1, quote: 1 },
      pairCreatedAt: 1_702_999_629_000,
    };
    const thin = {
      ...pair,
      priceUsd: renderPrice(price * THIN.price_factor),
      priceChange: { h24: THIN.change_pct },
      liquidity: { usd: THIN.liquidity_usd, base: 1, quote: 1 },
    };
    // The token may also be the quote side of somebody else's pool.
    const turned = { ...pair, baseToken: quoteToken, quoteToken: baseToken, priceUsd: "1.0000000" };
    return { json: [thin, turned, pair, ...listSimulatedPairsWith(world, chain, address)] };
  },
});
