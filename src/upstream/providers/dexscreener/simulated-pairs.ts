import type { SimulatedWorld } from "../../../catalog/simulator.ts";
import { NATIVE, USDC } from "../dex-tokens.ts";
import { findSimulatedToken, getSimulatedPoolPrice } from "../simulated-dex.ts";
import { renderPrice } from "../simulated-market.ts";
import { findTokenFacts, poolAddressOf } from "../simulated-tokens/find-token.ts";
import { listSimulatedLaunches } from "../simulated-tokens/launches.ts";
import type { SimulatedTokenFacts } from "../simulated-tokens/types.ts";
import { ZOO } from "../simulated-tokens/zoo.ts";
import { PLAYED_TOKENS, SIMULATED_POOLS } from "../solana-rpc/simulated-pools.ts";

const FOUND_MAX = 30;

/** How a token's price moves: like the world's market of its name, around its own level. */
const moveOf = (world: SimulatedWorld, { id }: SimulatedTokenFacts, back_ms = 0): number =>
  world.price(`token ${id}`, world.now() - back_ms) / world.price(`token ${id}`, 1_790_000_000_000);

/** Issuers' tokens cost what the world's market says of what they stand for. */
function getIssuedPrice(world: SimulatedWorld, { chain, address, symbol, price_usd }: SimulatedTokenFacts): number {
  const listed = findSimulatedToken(chain, address);
  if (listed) return getSimulatedPoolPrice(world, chain, listed);
  return /ETH/.test(symbol) ? world.price("ETH") : /SOL/.test(symbol) ? world.price("SOL") : price_usd;
}

function renderPair(world: SimulatedWorld, token: SimulatedTokenFacts) {
  const { chain } = token;
  const is_stable = token.truth === "blue_chip";
  const price = is_stable ? getIssuedPrice(world, token) : token.price_usd * moveOf(world, token);
  const change = (back_ms: number) =>
    is_stable ? 0.01 : Number(((moveOf(world, token) / moveOf(world, token, back_ms) - 1) * 100).toFixed(2));
  const is_usdc = token.address === USDC[chain];
  const quote = is_usdc
    ? { address: NATIVE[chain].address, name: "Wrapped native", symbol: chain === "solana" ? "SOL" : "WETH" }
    : { address: USDC[chain], name: "USD Coin", symbol: "USDC" };
  const quote_usd = is_usdc ? world.price(chain === "solana" ? "SOL" : "ETH") : 1;
  const curve = token.venue === "curve";
  return {
    chainId: chain,
    dexId: curve ? "pumpfun" : chain === "solana" ? (token.venue === "clmm" ? "orca" : "raydium") : "uniswap",
    url: `https://dexscreener.com/${chain}/${poolAddressOf(token).toLowerCase()}`,
    pairAddress: poolAddressOf(token),
    labels: token.venue === "clmm" ? ["v3"] : chain === "solana" ? [] : ["v2"],
    baseToken: { address: token.address, name: token.name, symbol: token.symbol },
    quoteToken: quote,
    priceNative: renderPrice(price / quote_usd),
    priceUsd: renderPrice(price),
    txns: {
      h1: { buys: token.buys_h1, sells: token.sells_h1 },
      h24: { buys: token.buys_h1 * 14, sells: token.sells_h1 * 14 },
    },
    volume: { h24: token.volume_h24_usd, h1: token.volume_h1_usd },
    priceChange: { h1: change(3_600_000), h24: change(86_400_000) },
    ...(curve
      ? {}
      : {
          liquidity: {
            usd: token.liquidity_usd,
            base: token.liquidity_usd / 2 / price,
            quote: token.liquidity_usd / 2 / quote_usd,
          },
        }),
    fdv: token.supply * price,
    marketCap: token.supply * price,
    pairCreatedAt: Math.round(world.now() - token.age_min * 60_000),
    ...(token.has_link ? { info: { websites: [{ label: "Website", url: "https://example.com" }], socials: [] } } : {}),
  };
}

/** Pools of tokens with known truth; undefined when it is none of them. */
export function renderTokenPair(world: SimulatedWorld, chain: string, address: string) {
  const token = findTokenFacts(world, chain, address);
  return token && renderPair(world, token);
}

export function searchSimulatedPairs(world: SimulatedWorld, query: string) {
  const wanted = query.trim().toLowerCase();
  const launches = listSimulatedLaunches(world, 100).map(({ token }) => token);
  return [...ZOO, ...launches]
    .filter((token) =>
      [token.symbol, token.name, token.address, poolAddressOf(token)].some((text) =>
        text.toLowerCase().includes(wanted),
      ),
    )
    .slice(0, FOUND_MAX)
    .map((token) => renderPair(world, token));
}

/** Pools in which a chain's tokens are traded for USDC; on Solana the ones whose transactions are played. */
export function listSimulatedPairsWith(world: SimulatedWorld, chain: string, address: string) {
  if (chain === "solana" && address === NATIVE.solana.address) {
    const native = findTokenFacts(world, chain, address);
    return native
      ? SIMULATED_POOLS.map((pool) => ({ ...renderPair(world, native), dexId: "orca", pairAddress: pool.address }))
      : [];
  }
  if (chain === "solana" && address === USDC.solana) {
    return PLAYED_TOKENS.map((token) => ({ ...renderPair(world, token), dexId: "orca" }));
  }
  return ZOO.filter((token) => token.chain === chain && token.truth !== "blue_chip")
    .filter((token) => token.chain !== "solana" && address.toLowerCase() === USDC[token.chain].toLowerCase())
    .map((token) => renderPair(world, token));
}
