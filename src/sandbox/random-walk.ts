/**
 * A random walk in closed form: it can be read at any time, in any order, and follows from its seed alone.
 *
 * It is a sum of octaves. Each octave has independent random knots at multiples of its period and straight lines
 * between them; its size grows with the square root of its period, so that moves over any length of time have the
 * size a random walk's have (value noise with the spectrum of Brownian motion; Ebert et al., Texturing and Modeling,
 * 3rd ed., ch. 2). Knots follow Student's t distribution with four degrees of freedom, the tails that daily returns
 * of coins have.
 */

const MINUTE_MS = 60_000;
/** Periods: two minutes, each next one four times as long, up to a year. */
const PERIODS_MS: readonly number[] = Array.from({ length: 10 }, (_, octave) => 2 * MINUTE_MS * 4 ** octave);
const DAY_MS = 86_400_000;
/** Octaves with periods up to a day and a half: their size follows the calm and the stormy times of the market. */
const FAST_OCTAVES = 6;
/**
 * Factor that gives one day's move the requested standard deviation: found by simulation, and checked by a test.
 */
const SIZE_OF_DAY = 0.66;
const SIZES: readonly number[] = PERIODS_MS.map((period_ms) => SIZE_OF_DAY * Math.sqrt(period_ms / DAY_MS));

const LEVELS = 4_096;

/** Quantile of Student's t with four degrees of freedom, divided by its standard deviation (W. T. Shaw, 2006). */
function quantileT4(u: number): number {
  const alpha = 4 * u * (1 - u);
  const q = Math.cos(Math.acos(Math.sqrt(alpha)) / 3) / Math.sqrt(alpha);
  return Math.sign(u - 0.5) * Math.SQRT2 * Math.sqrt(Math.max(0, q - 1));
}
const KNOTS = Float64Array.from({ length: LEVELS }, (_, level) => quantileT4((level + 0.5) / LEVELS));

/** A well mixed 32-bit hash of two numbers (the finaliser of MurmurHash3, A. Appleby). */
function mix(seed: number, index: number): number {
  let hash = Math.imul(index, 0x9e3779b1) ^ seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** One octave: the straight line between its knots before and after a time. */
function readOctave(seed: number, octave: number, at_ms: number): number {
  const position = at_ms / (PERIODS_MS[octave] ?? 1);
  const index = Math.floor(position);
  const own = mix(seed, octave);
  const before = KNOTS[mix(own, index) >>> 20] ?? 0;
  const after = KNOTS[mix(own, index + 1) >>> 20] ?? 0;
  return before + (after - before) * (position - index);
}

/** Turns any name into the seed of a walk. */
export const seedOf = (name: string): number => Bun.hash.xxHash32(name);

/**
 * How restless the market is at a time, around 1: it changes over weeks, so that large moves come together (volatility
 * clustering).
 */
export function readStorm(seed: number, at_ms: number): number {
  const weeks = readOctave(seed, FAST_OCTAVES, at_ms) + readOctave(seed, FAST_OCTAVES + 1, at_ms);
  return Math.exp(Math.max(-1, Math.min(1, 0.5 * weeks)));
}

/** A walk whose moves over a day have the standard deviation 1 on the average; `storm` scales its faster part. */
export function readWalk(seed: number, at_ms: number, storm: number): number {
  let fast = 0;
  for (let octave = 0; octave < FAST_OCTAVES; octave += 1)
    fast += (SIZES[octave] ?? 0) * readOctave(seed, octave, at_ms);
  let slow = 0;
  for (let octave = FAST_OCTAVES; octave < PERIODS_MS.length; octave += 1) {
    slow += (SIZES[octave] ?? 0) * readOctave(seed, octave, at_ms);
  }
  return fast * storm + slow;
}
