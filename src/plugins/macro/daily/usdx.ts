/**
 * The US dollar index by ICE's published weights: 50.14348112 x EURUSD^-0.576 x USDJPY^0.136 x GBPUSD^-0.119 x
 * USDCAD^0.091 x USDSEK^0.042 x USDCHF^0.036. Of ECB rates it is not the ICE index, and is called computed.
 */
const BASE = 50.14348112;
export const USDX_WEIGHTS = {
  EURUSD: -0.576,
  USDJPY: 0.136,
  GBPUSD: -0.119,
  USDCAD: 0.091,
  USDSEK: 0.042,
  USDCHF: 0.036,
} as const;

export type USDXPairs = Readonly<Record<keyof typeof USDX_WEIGHTS, number>>;

export function computeUSDX(pairs: USDXPairs): number {
  let index = BASE;
  for (const pair of Object.keys(USDX_WEIGHTS) as (keyof USDXPairs)[]) index *= pairs[pair] ** USDX_WEIGHTS[pair];
  return index;
}
