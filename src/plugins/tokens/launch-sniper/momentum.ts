const clamp = (value: number): number => Math.min(1, Math.max(0, value));

export interface Flow {
  /** Purchases; the table counts trades, not wallets. */
  readonly buyers_h1: number;
  readonly buys_h1: number;
  readonly sells_h1: number;
  readonly volume_h1_usd: number;
  readonly liquidity_usd: number;
}

/** Volume beyond this many times the liquidity in an hour is taken for washed. */
const WASH_TURNOVER = 10;

/** Momentum, 0 to 100: how many buy, how one-sided, how much against the pool (product file, 5.11). */
export function getMomentum({ buyers_h1, buys_h1, sells_h1, volume_h1_usd, liquidity_usd }: Flow) {
  const turnover = volume_h1_usd / liquidity_usd;
  const trades = buys_h1 + sells_h1;
  const balance = trades === 0 ? 0 : (buys_h1 - sells_h1) / trades;
  const parts = [
    { name: "buyers", value: buyers_h1, contribution: 40 * Math.min(1, Math.log(1 + buyers_h1) / Math.log(501)) },
    { name: "balance", value: balance, contribution: 30 * clamp(balance) },
    { name: "turnover", value: turnover, contribution: 30 * Math.min(1, turnover) },
  ];
  const factor = turnover > WASH_TURNOVER ? 0.5 : 1;
  const factors = parts.map((part) => ({ ...part, contribution: part.contribution * factor }));
  return { momentum: factors.reduce((sum, { contribution }) => sum + contribution, 0), factors };
}

export const getScore = (risk: number, momentum: number): number => 0.5 * (100 - risk) + 0.5 * momentum;
