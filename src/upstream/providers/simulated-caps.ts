import type { SimulatedWorld } from "../../catalog/simulator.ts";

/** Rough numbers of coins in circulation, millions, so that the order of sizes looks like the real one. */
const SUPPLIES_MILLION: Readonly<Record<string, number>> = {
  BTC: 19.9,
  ETH: 120,
  SOL: 540,
  BNB: 138,
  XRP: 59_000,
  ADA: 35_000,
  DOGE: 150_000,
  AVAX: 420,
  LINK: 680,
  LTC: 76,
  TRX: 94_000,
  DOT: 1_600,
  BCH: 20,
  SUI: 3_600,
  NEAR: 1_250,
  UNI: 600,
  AAVE: 15,
  ARB: 5_400,
  OP: 1_800,
  APT: 690,
  STRK: 430,
  POL: 1_050,
  MNT: 340,
  LDO: 90,
  CRV: 140,
  PENDLE: 17,
  JUP: 300,
  ENA: 650,
  TAO: 9.6,
  RENDER: 52,
  FET: 240,
  VIRTUAL: 65,
  WLD: 200,
  SHIB: 589_000_000,
  PEPE: 420_000_000,
  BONK: 80_000_000,
  WIF: 100,
  PYTH: 570,
  FIL: 690,
  AR: 65,
  TIA: 800,
  XLM: 3_200,
  HYPE: 330,
  ONDO: 320,
  MKR: 90,
  GALA: 44,
  IMX: 190,
  SAND: 260,
  AXS: 165,
  ZEC: 16,
  XMR: 18,
};

/** A publisher's own count is this far off at most. */
const OFFSET_RATIO_MAX = 0.004;

/** Coins, largest first as far as the list goes. */
export const SIMULATED_CAP_SYMBOLS: readonly string[] = Object.keys(SUPPLIES_MILLION);

/** What a publisher says a coin is worth, USD: the world's price times its own count, which is a little off. */
export function getSimulatedCap(world: SimulatedWorld, publisher: string, symbol: string): number {
  const offset = (world.noise(`supply ${publisher} ${symbol}`) * 2 - 1) * OFFSET_RATIO_MAX;
  return world.price(symbol) * (SUPPLIES_MILLION[symbol] ?? 0) * 1e6 * (1 + offset);
}

/** The rest of the market is some 8 % of the listed coins. */
const WHOLE_RATIO = 1.08;

/** A publisher's figures of the whole market. */
export function getSimulatedTotals(world: SimulatedWorld, publisher: string) {
  const caps = SIMULATED_CAP_SYMBOLS.map((symbol) => getSimulatedCap(world, publisher, symbol));
  const total_usd = caps.reduce((sum, cap) => sum + cap, 0) * WHOLE_RATIO;
  return {
    total_usd,
    btc_dominance_pct: (100 * getSimulatedCap(world, publisher, "BTC")) / total_usd,
    change_24h_pct: 4 * (world.noise(`caps change ${Math.floor(world.now() / 3_600_000)}`) - 0.5),
  };
}
