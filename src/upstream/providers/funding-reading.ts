import { type Unusable, unusable } from "../../catalog/unusable.ts";
/** What one coin's perpetual future costs to hold, and how much of it is held. */
export interface FundingReading {
  readonly symbol: string;
  /** Paid by longs to shorts, per hour, as a fraction of the position. */
  readonly rate_1h_frac: number;
  /** Of one side: every contract has a long and a short, and counts once. */
  readonly open_interest_usd: number;
}

/** A signed decimal number as venues write rates. */
export const RATE_PATTERN = "^-?(0|[1-9][0-9]{0,4})(\\.[0-9]{1,18})?$";

/** Per hour; Hyperliquid's own cap, and above those of others. */
const RATE_MAX = 0.04;

/** The reading if its numbers can be those of a future that is traded, else why not. */
export function checkFunding(funding: FundingReading): FundingReading | Unusable {
  const { symbol, rate_1h_frac, open_interest_usd } = funding;
  // Also what is no number is not within the cap.
  if (!(Math.abs(rate_1h_frac) <= RATE_MAX)) return unusable(`the funding rate of ${symbol} is above the venues' cap`);
  if (!(open_interest_usd > 0 && Number.isFinite(open_interest_usd))) return unusable(`no open interest in ${symbol}`);
  return funding;
}
