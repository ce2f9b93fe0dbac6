import type { SimulatedWorld } from "../catalog/simulator.ts";
import { readStorm, readWalk, seedOf } from "./random-walk.ts";

/** The character of one coin. Sizes and correlations are those of 2024 and 2025, rounded. */
interface Coin {
  /** Rough price in USD, so that simulated answers look like the real ones. */
  readonly level: number;
  /** How far it moves when the whole market moves by 1. */
  readonly beta: number;
  /** Standard deviation of its own daily log move, apart from the market's. */
  readonly own_day: number;
}

const coin = (level: number, beta: number, own_day: number): Coin => ({ level, beta, own_day });

/** Standard deviation of the market's daily log move, which all coins share. */
const MARKET_DAY = 0.024;

const COINS: Readonly<Record<string, Coin>> = {
  BTC: coin(64_000, 1, 0.009),
  ETH: coin(3_000, 1.2, 0.017),
  SOL: coin(150, 1.35, 0.026),
  BNB: coin(580, 0.9, 0.018),
  XRP: coin(0.6, 1.1, 0.032),
  ADA: coin(0.45, 1.3, 0.026),
  DOGE: coin(0.13, 1.45, 0.034),
  AVAX: coin(28, 1.4, 0.027),
  LINK: coin(14, 1.35, 0.026),
  LTC: coin(72, 1.05, 0.022),
  TRX: coin(0.16, 0.5, 0.016),
  DOT: coin(5.5, 1.3, 0.024),
  BCH: coin(380, 1.1, 0.028),
  SUI: coin(1.8, 1.5, 0.036),
  NEAR: coin(5, 1.45, 0.031),
  UNI: coin(8, 1.3, 0.034),
  AAVE: coin(150, 1.35, 0.032),
  ARB: coin(0.7, 1.45, 0.03),
  OP: coin(1.7, 1.5, 0.031),
  APT: coin(8.5, 1.4, 0.031),
  /** A token backed by gold: it hardly follows the coins. */
  PAXG: coin(4_300, 0.05, 0.009),
  SHIB: coin(0.000012, 1.35, 0.033),
  PEPE: coin(0.0000065, 1.6, 0.045),
  BONK: coin(0.000015, 1.6, 0.047),
};
const STABLE = ["USD", "USDT", "USDC", "DAI"];
/** The largest distance of a stable coin from its peg, and the factor on its walk. */
const PEG_MAX = 0.0008;
const PEG_PULL = 0.05;

/** A coin that is in no list: an average one, whose character follows from its name. */
function describeOther(noise: (key: string) => number, symbol: string): Coin {
  return coin(10, 1 + 0.5 * noise(`${symbol}:beta`), 0.025 + 0.025 * noise(`${symbol}:own`));
}

interface SeededCoin extends Coin {
  readonly seed: number;
}
const COINS_KEPT = 10_000;

/** Cache for the last seed, because one process plays one world and tests create it many times. */
let newest = { seed: "", market: {} };
function findMarket(seed: string): object {
  if (newest.seed !== seed) newest = { seed, market: {} };
  return newest.market;
}

/**
 * A market in closed form, which can be read at any time and follows from its seed alone. All coins share one walk, and
 * each coin has one of its own, so that coins are correlated as real ones are and some are wilder than others. Both
 * walks have fat tails, calm and stormy weeks, and trends that last for months. The market predicts nothing.
 */
export function createWorld(seed: string, now: () => number): SimulatedWorld {
  const noise = (key: string): number => Bun.hash.xxHash32(`${seed}:${key}`) / 2 ** 32;
  const market_seed = seedOf(`${seed}:market`);
  const storm_seed = seedOf(`${seed}:storm`);
  const coins = new Map<string, SeededCoin>();
  /** Cached, because bars read millions of prices. */
  const find = (symbol: string): SeededCoin => {
    const known = coins.get(symbol);
    if (known) return known;
    const found = { ...(COINS[symbol] ?? describeOther(noise, symbol)), seed: seedOf(`${seed}:coin:${symbol}`) };
    if (coins.size < COINS_KEPT) coins.set(symbol, found);
    return found;
  };
  // All symbols are read at the same times, one after the other.
  let market = { at_ms: Number.NaN, move: 0, storm: 1 };
  const readMarket = (at_ms: number) => {
    if (market.at_ms === at_ms) return market;
    const storm = readStorm(storm_seed, at_ms);
    market = { at_ms, storm, move: MARKET_DAY * readWalk(market_seed, at_ms, storm) };
    return market;
  };
  return {
    now,
    noise,
    market: findMarket(seed),
    price(symbol, at_ms = now()) {
      if (symbol === "USD") return 1;
      const { level, beta, own_day, seed: own_seed } = find(symbol);
      if (STABLE.includes(symbol)) {
        return 1 + PEG_MAX * Math.tanh(PEG_PULL * readWalk(own_seed, at_ms, 1));
      }
      const { move, storm } = readMarket(at_ms);
      return level * Math.exp(beta * move + own_day * readWalk(own_seed, at_ms, storm));
    },
  };
}
