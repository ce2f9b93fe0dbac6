const MINUTE_MS = 60_000;

/** Twice the update interval of Pyth's sponsored feeds. */
export const PYTH_AGE_MAX_MS = 2 * MINUTE_MS;

/** As for the oracle's USDT/USD: a stablecoin's book rests longer than others. */
export const KRAKEN_USDT_AGE_MAX_MS = 2 * MINUTE_MS;

/** Three times RedStone's update interval. */
export const REDSTONE_AGE_MAX_MS = 3 * MINUTE_MS;

/** A Chainlink answer stays right until the price leaves its deviation band, but is too coarse for longer use. */
export const CHAINLINK_AGE_MAX_MS = 60 * MINUTE_MS;

/** 1.5 times the longest usual heartbeat, 24 h: the feed is dead, whatever its last answer. */
export const CHAINLINK_DEAD_AFTER_MS = 1.5 * 24 * 60 * MINUTE_MS;

export const WEIGHTS = { oracle: 1.5, usd: 1, usdt: 0.7 } as const;

/** Makes the median absolute deviation an estimate of the standard deviation of normal errors. */
export const MAD_TO_SIGMA = 1.4826;

/** Lowest scale, as a share of the median: sources that agree exactly must not make the next one an outlier. */
export const SCALE_MIN_RATIO = 0.0002;
export const OUTLIER_SCALES = 5;
export const OUTLIER_RATIO = 0.02;

export const KEPT_MIN = 3;
/** With this many kept sources their number no longer lowers the score. */
export const KEPT_FULL = 6;
export const SCORE_WITHOUT_ORACLE = 0.8;
export const AGREE_BPS_MAX = 25;
/** From here on the score is 0. */
export const LOOSE_BPS_MAX = 100;
