/**
 * Distribution functions, exact to about 13 digits. DLMF: NIST Digital Library of Mathematical Functions. The installed
 * statistics package looks the normal distribution up in a table of 4 digits and has no other of these.
 */
const TINY = 1e-300;
const TERMS_MAX = 10_000;
const PRECISION = 1e-16;

/** Coefficients of Lanczos' series for g = 7 and 9 terms (Godfrey, 2001). */
const LANCZOS_G = 7;
const LANCZOS = [
  ...[0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406],
  ...[12.507343278686905, -0.13857109526572012, 0.000009984369578019572, 1.5056327351493116e-7],
];

/** Logarithm of the gamma function for x above 0 (Lanczos, SIAM J. Numerical Analysis B 1, 1964). */
function getLogGamma(x: number): number {
  const shifted = x - 1;
  const t = shifted + LANCZOS_G + 0.5;
  const sum = LANCZOS.reduce((total, term, index) => (index === 0 ? term : total + term / (shifted + index)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Keeps the denominators of Lentz' method away from 0. */
const apart = (value: number): number => (Math.abs(value) < TINY ? TINY : value);

/** The continued fraction of DLMF 8.17.22 by the modified method of Lentz. */
function getBetaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= TERMS_MAX; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const term of [even, odd]) {
      d = 1 / apart(1 + term * d);
      c = apart(1 + term / c);
      step = c * d;
      fraction *= step;
    }
    if (Math.abs(step - 1) < PRECISION) break;
  }
  return fraction;
}

/** Regularised incomplete beta function I_x(a, b), 0 to 1 (DLMF 8.17). `complement` is 1 - x, given exactly. */
function getIncompleteBeta(x: number, complement: number, { a, b }: { a: number; b: number }): number {
  if (x <= 0) return 0;
  if (complement <= 0) return 1;
  const front = Math.exp(
    getLogGamma(a + b) - getLogGamma(a) - getLogGamma(b) + a * Math.log(x) + b * Math.log(complement),
  );
  // The fraction converges fast on this side; the other one is the mirror (DLMF 8.17.4).
  return x < (a + 1) / (a + b + 2)
    ? (front * getBetaFraction(x, a, b)) / a
    : 1 - (front * getBetaFraction(complement, b, a)) / b;
}

/**
 * Probability of a value of Student's t with `df` degrees of freedom at least as far from 0 as `t`, 0 to 1.
 * @throws RangeError for df not above 0.
 */
export function getStudentTwoSided(t: number, df: number): number {
  if (!(df > 0) || !Number.isFinite(df)) throw new RangeError(`degrees of freedom ${df}`);
  if (Number.isNaN(t)) throw new RangeError("t is not a number");
  if (!Number.isFinite(t)) return 0;
  const whole = df + t * t;
  return getIncompleteBeta(df / whole, (t * t) / whole, { a: df / 2, b: 0.5 });
}

/**
 * Probability of `k` or more successes in `n` trials of chance `p`, 0 to 1: I_p(k, n - k + 1) (DLMF 8.17.5).
 * @throws RangeError for counts that are no whole numbers or a chance outside 0 to 1.
 */
export function getBinomialTail(k: number, n: number, p: number): number {
  if (!Number.isInteger(k) || !Number.isInteger(n) || n < 0) throw new RangeError(`${k} of ${n} trials`);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a chance of ${p}`);
  if (k <= 0) return 1;
  return k > n ? 0 : getIncompleteBeta(p, 1 - p, { a: k, b: n - k + 1 });
}

/** Density of the standard normal distribution at z. */
export const getNormalDensity = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** From here on the series would cancel, and the continued fraction converges fast. */
const SERIES_LIMIT = 3;

/**
 * Probability of a standard normal value of at most `z`, 0 to 1. Series of DLMF 7.6.2 in the middle, continued fraction
 * of DLMF 7.9.3 (Mills' ratio) in the tails, which therefore keep their digits.
 */
export function getNormalCDF(z: number): number {
  const distance = Math.abs(z);
  if (distance > 39) return z < 0 ? 0 : 1;
  if (distance < SERIES_LIMIT) {
    let term = distance;
    let sum = term;
    for (let n = 1; n <= TERMS_MAX && term > PRECISION * sum; n += 1) {
      term *= (distance * distance) / (2 * n + 1);
      sum += term;
    }
    return 0.5 + Math.sign(z) * getNormalDensity(distance) * sum;
  }
  let tail = distance;
  for (let n = 200; n >= 1; n -= 1) tail = distance + n / tail;
  const beyond = getNormalDensity(distance) / tail;
  return z < 0 ? beyond : 1 - beyond;
}

/** Rational approximation of Wichura, Applied Statistics 37 (1988), algorithm AS 241 (PPND16), about 16 digits. */
const CENTRE = {
  top: [
    ...[3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946],
    ...[45921.95393154987, 67265.7709270087, 33430.57558358813, 2509.0809287301227],
  ],
  bottom: [
    ...[1, 42.31333070160091, 687.1870074920579, 5394.196021424751],
    ...[21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854],
  ],
};
const SIDE = {
  top: [
    ...[1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045],
    ...[1.2704582524523684, 0.2417807251774506, 0.022723844989269184, 0.0007745450142783414],
  ],
  bottom: [
    ...[1, 2.053191626637759, 1.6763848301838038, 0.6897673349851],
    ...[0.14810397642748008, 0.015198666563616457, 0.0005475938084995345, 1.0507500716444169e-9],
  ],
};
const TAIL = {
  top: [
    ...[6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487],
    ...[0.026532189526576124, 0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7],
  ],
  bottom: [
    ...[1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615],
    ...[0.0007868691311456133, 0.000018463183175100548, 1.421511758316446e-7, 2.0442631033899397e-15],
  ],
};

const evaluate = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
const divide = ({ top, bottom }: typeof CENTRE, x: number): number => evaluate(top, x) / evaluate(bottom, x);

/**
 * The standard normal value that is not exceeded with probability `p`.
 * @throws RangeError unless p lies between 0 and 1, both excluded.
 */
export function getNormalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a probability of ${p}`);
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * divide(CENTRE, 0.180625 - q * q);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  return Math.sign(q) * (r <= 5 ? divide(SIDE, r - 1.6) : divide(TAIL, r - 5));
}
