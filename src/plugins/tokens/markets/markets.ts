import type { DexPair } from "intel-node/providers/dexscreener/pairs";

/** Pools too small to say what a token costs. */
const PRICED_MIN_USD = 10_000;

export interface Markets {
  /** Weighted by liquidity; of curves, the last price. */
  readonly price_usd: number | null;
  readonly liquidity_usd: number | null;
  readonly volume_h24_usd: number | null;
  readonly pools: number;
  /** Highest over lowest price of pools of 10,000 US dollars and more, less one. */
  readonly dispersion_pct: number | null;
  readonly change_h1_pct: number | null;
  readonly change_h24_pct: number | null;
  readonly fdv_usd: number | null;
  readonly market_cap_usd: number | null;
}

const sum = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};

/** A token's pools of one chain, deepest first, as one market. */
export function aggregate(pairs: readonly DexPair[]): Markets {
  const priced = pairs.flatMap(({ price_usd, liquidity_usd }) =>
    price_usd !== null && liquidity_usd !== null && liquidity_usd > 0 ? [{ price_usd, liquidity_usd }] : [],
  );
  const depth = priced.reduce((total, { liquidity_usd }) => total + liquidity_usd, 0);
  const weighted = priced.reduce((total, { price_usd, liquidity_usd }) => total + price_usd * liquidity_usd, 0);
  const deep = priced.filter(({ liquidity_usd }) => liquidity_usd >= PRICED_MIN_USD).map(({ price_usd }) => price_usd);
  const [first] = pairs;
  return {
    price_usd: depth > 0 ? weighted / depth : (pairs.find(({ price_usd }) => price_usd !== null)?.price_usd ?? null),
    liquidity_usd: sum(pairs.map(({ liquidity_usd }) => liquidity_usd)),
    volume_h24_usd: sum(pairs.map(({ volume_h24_usd }) => volume_h24_usd)),
    pools: pairs.length,
    dispersion_pct: deep.length < 2 ? null : (Math.max(...deep) / Math.min(...deep) - 1) * 100,
    change_h1_pct: first?.change_h1_pct ?? null,
    change_h24_pct: first?.change_h24_pct ?? null,
    fdv_usd: first?.fdv_usd ?? null,
    market_cap_usd: first?.market_cap_usd ?? null,
  };
}
