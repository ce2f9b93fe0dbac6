import type { SimulatedWorld } from "../catalog/simulator.ts";
import { sha256Hex } from "../core/hash.ts";

/** Rough price levels in USD, so that simulated answers look like the real ones. They mean nothing else. */
const LEVELS: Readonly<Record<string, number>> = {
  BTC: 64_000,
  ETH: 3_000,
  SOL: 150,
  BNB: 580,
  XRP: 0.6,
  ADA: 0.45,
  DOGE: 0.13,
  AVAX: 28,
  LINK: 14,
  LTC: 72,
  TRX: 0.16,
  DOT: 5.5,
  BCH: 380,
  SUI: 1.8,
  NEAR: 5,
  UNI: 8,
  AAVE: 150,
  ARB: 0.7,
  OP: 1.7,
  APT: 8.5,
  SHIB: 0.000012,
  PEPE: 0.0000065,
  BONK: 0.000015,
};
const STABLE: Readonly<Record<string, number>> = { USD: 1, USDT: 1, USDC: 1, DAI: 1 };
const OTHER_LEVEL = 10;

const HOUR_MS = 3_600_000;
/** Amplitude (log) and period of each wave: hours, days, weeks, years. */
const WAVES = [
  { size: 0.002, period_ms: 1.7 * HOUR_MS },
  { size: 0.02, period_ms: 31 * HOUR_MS },
  { size: 0.06, period_ms: 17 * 24 * HOUR_MS },
  { size: 0.3, period_ms: 410 * 24 * HOUR_MS },
] as const;
const STABLE_SIZE = 0.0003;

/**
 * A market in closed form: sums of waves whose phases follow from the seed, readable at any time, the same for
 * everybody.
 */
export function createWorld(seed: string, now: () => number): SimulatedWorld {
  const phases = new Map<string, readonly number[]>();
  const noise = (key: string): number => Number.parseInt(sha256Hex(`${seed}:${key}`).slice(0, 13), 16) / 2 ** 52;
  /** Where each wave of a symbol begins, and the one of a stable coin: hashed once, because bars ask by the million. */
  const phasesOf = (symbol: string): readonly number[] => {
    let known = phases.get(symbol);
    if (known === undefined) {
      known = [...WAVES.keys(), "peg"].map((name) => noise(`${symbol}:${name}`) * 2 * Math.PI);
      if (phases.size < 10_000) phases.set(symbol, known);
    }
    return known;
  };
  return {
    now,
    noise,
    price(symbol, at_ms = now()) {
      const own = phasesOf(symbol);
      const wave = (size: number, period_ms: number, index: number) =>
        size * Math.sin((2 * Math.PI * at_ms) / period_ms + (own[index] ?? 0));
      const stable = STABLE[symbol];
      if (stable !== undefined) return symbol === "USD" ? 1 : stable + wave(STABLE_SIZE, 9 * HOUR_MS, WAVES.length);
      let log = 0;
      for (const [index, { size, period_ms }] of WAVES.entries()) log += wave(size, period_ms, index);
      return (LEVELS[symbol] ?? OTHER_LEVEL) * Math.exp(log);
    },
  };
}
