/**
 * A hidden Markov model of two normal states, fitted by Baum and Welch's method with Rabiner's scaling: Hamilton, A New
 * Approach to the Economic Analysis of Nonstationary Time Series, Econometrica 57 (1989); Rabiner, A Tutorial on Hidden
 * Markov Models, Proceedings of the IEEE 77 (1989). Independent check: hmmlearn.GaussianHMM with the same start and
 * covars_prior = 0.
 */
export interface TwoStateModel {
  /** Standard deviations, the calmer state's first. */
  readonly sigmas: readonly [number, number];
  readonly means: readonly [number, number];
  /** Chance of staying in each state from one value to the next. */
  readonly stays: readonly [number, number];
  /** Probability that the last value is of the state of the greater variance, from that value and the ones before. */
  readonly p_turbulent: number;
  readonly log_likelihood: number;
  readonly iterations: number;
}

const ITERATIONS_MAX = 100;
const GAIN_MIN = 1e-6;
const VALUES_MAX = 5_000;
/** A share of the variance of all values; a state that shrinks below it has collapsed onto equal values. */
const VARIANCE_RATIO_MIN = 1e-10;

interface Parameters {
  readonly initial: [number, number];
  readonly means: [number, number];
  readonly variances: [number, number];
  /** Chance of going from the first state to the second, and back. */
  readonly leaves: [number, number];
}

interface Buffers {
  /** Scaled densities of the two states. */
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** Filtered probabilities of the second state. */
  readonly filtered: Float64Array;
  readonly scales: Float64Array;
}

/** Densities and filtered probabilities, forwards. Returns the log-likelihood. */
function runForwards(values: Float64Array, parameters: Parameters, buffers: Buffers): number {
  const { initial, means, variances, leaves } = parameters;
  const { first, second, filtered, scales } = buffers;
  const [norm_a, norm_b] = [1 / Math.sqrt(2 * Math.PI * variances[0]), 1 / Math.sqrt(2 * Math.PI * variances[1])];
  const [half_a, half_b] = [-0.5 / variances[0], -0.5 / variances[1]];
  let [log_likelihood, p_first, p_second] = [0, initial[0], initial[1]];
  for (let t = 0; t < values.length; t += 1) {
    const value = values[t] ?? 0;
    const a = norm_a * Math.exp(half_a * (value - means[0]) ** 2);
    const b = norm_b * Math.exp(half_b * (value - means[1]) ** 2);
    const scale = p_first * a + p_second * b;
    first[t] = a;
    second[t] = b;
    scales[t] = scale;
    log_likelihood += Math.log(scale);
    const now_second = (p_second * b) / scale;
    filtered[t] = now_second;
    p_second = (1 - now_second) * leaves[0] + now_second * (1 - leaves[1]);
    p_first = 1 - p_second;
  }
  return log_likelihood;
}

/** Smoothed probabilities, backwards, and from them the parameters that explain the values better. */
function runBackwards(values: Float64Array, parameters: Parameters, buffers: Buffers): Parameters {
  const { leaves } = parameters;
  const { first, second, filtered, scales } = buffers;
  const last = values.length - 1;
  let [beta_a, beta_b] = [1, 1];
  let [weight_a, weight_b, sum_a, sum_b, square_a, square_b] = [0, 0, 0, 0, 0, 0];
  let [from_a, from_b, left_a, left_b, start_b] = [0, 0, 0, 0, 0];
  for (let t = last; t >= 0; t -= 1) {
    const p = filtered[t] ?? 0;
    if (t < last) {
      const scale = scales[t + 1] ?? 0;
      const [next_a, next_b] = [((first[t + 1] ?? 0) * beta_a) / scale, ((second[t + 1] ?? 0) * beta_b) / scale];
      left_a += (1 - p) * leaves[0] * next_b;
      left_b += p * leaves[1] * next_a;
      beta_a = (1 - leaves[0]) * next_a + leaves[0] * next_b;
      beta_b = leaves[1] * next_a + (1 - leaves[1]) * next_b;
    }
    const [gamma_a, gamma_b] = [(1 - p) * beta_a, p * beta_b];
    if (t < last) {
      from_a += gamma_a;
      from_b += gamma_b;
    }
    const value = values[t] ?? 0;
    weight_a += gamma_a;
    weight_b += gamma_b;
    sum_a += gamma_a * value;
    sum_b += gamma_b * value;
    square_a += gamma_a * value * value;
    square_b += gamma_b * value * value;
    start_b = gamma_b / (gamma_a + gamma_b);
  }
  const [mean_a, mean_b] = [sum_a / weight_a, sum_b / weight_b];
  return {
    initial: [1 - start_b, start_b],
    means: [mean_a, mean_b],
    variances: [square_a / weight_a - mean_a ** 2, square_b / weight_b - mean_b ** 2],
    leaves: [left_a / from_a, left_b / from_b],
  };
}

/** Whether parameters can be worked with: a state that has died out or is stuck on one value cannot. */
const isUsable = ({ initial, means, variances, leaves }: Parameters, variance_min: number): boolean =>
  [...initial, ...means, ...leaves].every(Number.isFinite) && variances.every((variance) => variance > variance_min);

/** Population variance; the first value is taken off before squaring, so that large equal parts do not cancel. */
function getVariance(values: Float64Array): number {
  const origin = values[0] ?? 0;
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value - origin;
    squares += (value - origin) ** 2;
  }
  return Math.max(0, squares / values.length - (sum / values.length) ** 2);
}

/**
 * Fits the model to values of which the newest is last, and reads how likely the last one is of the wilder state. The
 * probability is the filtered one: it looks at no value after its own. Null when the values are not distinct (all
 * equal), when one is not finite, or when a state dies out.
 * @throws RangeError with fewer than 3 or more than 5,000 values.
 */
export function fitTwoStates(series: readonly number[]): TwoStateModel | null {
  if (series.length < 3 || series.length > VALUES_MAX) throw new RangeError(`${series.length} values`);
  if (!series.every(Number.isFinite)) return null;
  const values = Float64Array.from(series);
  const variance = getVariance(values);
  const variance_min = variance * VARIANCE_RATIO_MIN;
  if (!(variance > 0)) return null;
  const create = () => new Float64Array(values.length);
  const buffers: Buffers = { first: create(), second: create(), filtered: create(), scales: create() };
  let parameters: Parameters = {
    initial: [0.5, 0.5],
    means: [0, 0],
    variances: [0.5 * variance, 2 * variance],
    leaves: [0.05, 0.05],
  };
  let before = Number.NEGATIVE_INFINITY;
  let iterations = 0;
  while (iterations < ITERATIONS_MAX) {
    const log_likelihood = runForwards(values, parameters, buffers);
    const next = runBackwards(values, parameters, buffers);
    iterations += 1;
    if (!Number.isFinite(log_likelihood) || !isUsable(next, variance_min)) return null;
    parameters = next;
    if (log_likelihood - before < GAIN_MIN) break;
    before = log_likelihood;
  }
  const log_likelihood = runForwards(values, parameters, buffers);
  const p_second = buffers.filtered[values.length - 1] ?? Number.NaN;
  return Number.isFinite(log_likelihood) ? describe(parameters, { p_second, log_likelihood, iterations }) : null;
}

/** The states in the order of their variances. */
function describe(
  { means, variances, leaves }: Parameters,
  { p_second, ...fit }: { readonly p_second: number; readonly log_likelihood: number; readonly iterations: number },
): TwoStateModel {
  const [sigma_a, sigma_b] = [Math.sqrt(variances[0]), Math.sqrt(variances[1])];
  const is_second_wilder = sigma_b >= sigma_a;
  const order = <T>(a: T, b: T): readonly [T, T] => (is_second_wilder ? [a, b] : [b, a]);
  return {
    sigmas: order(sigma_a, sigma_b),
    means: order(means[0], means[1]),
    stays: order(1 - leaves[0], 1 - leaves[1]),
    p_turbulent: is_second_wilder ? p_second : 1 - p_second,
    ...fit,
  };
}
