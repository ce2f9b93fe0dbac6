/** Deterministic series with published check values, so that every figure of a test can be computed elsewhere too. */
export interface TestBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Rounds the exact binary value, as Python does: scaling first would move some ties. */
const round4 = (value: number): number => Number(value.toFixed(4));

const toBars = (closes: readonly number[]): readonly TestBar[] =>
  closes.map((close, t) => {
    const open = closes[t - 1] ?? close;
    return {
      open,
      high: round4(1.01 * Math.max(open, close)),
      low: round4(0.99 * Math.min(open, close)),
      close,
      volume: 1_000 + 50 * (t % 7),
    };
  });

/** 450 bars of a slow wave on a rising line. */
export const series1 = (): readonly TestBar[] =>
  toBars(Array.from({ length: 450 }, (_, t) => round4(100 * Math.exp(0.001 * t + 0.1 * Math.sin(t / 15)))));

/** The minimal standard generator of Park and Miller (1988): values in 0..1. */
export function parkMiller(seed: number): () => number {
  let x = seed;
  return () => {
    x = (16_807 * x) % 2_147_483_647;
    return x / 2_147_483_647;
  };
}

/** 460 bars of a noisy wave. */
export function series2(): readonly TestBar[] {
  const next = parkMiller(42);
  const closes = [100];
  for (let t = 1; t < 460; t += 1) {
    const drift = 0.0005 + 0.006 * Math.sin(t / 20) + 0.1 * (next() - 0.5);
    closes.push(round4((closes[t - 1] ?? 0) * Math.exp(drift)));
  }
  return toBars(closes);
}

/** 500 returns that are calm and wild by turns of a hundred. */
export function series3(): readonly number[] {
  const next = parkMiller(7);
  return Array.from({ length: 500 }, (_, t) => (next() - 0.5) * (Math.floor(t / 100) % 2 === 0 ? 0.02 : 0.1));
}
