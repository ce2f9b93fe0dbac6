import { getOwn } from "intel-node";
import type { BundleDirection } from "./schema.ts";

/** What data say of direction; "na" when they say nothing that can be read. */
type Signal = (data: Readonly<Record<string, unknown>>) => BundleDirection;

/** Bounds of the fear and greed index's own words: below 40 fear, above 60 greed. */
const FEAR_BELOW = 40;
const GREED_ABOVE = 60;

const none: Signal = () => "na";

/** Fear is bearish, greed bullish: what the crowd feels, not what follows from it. */
export const ofFearGreed: Signal = ({ value }) => {
  if (typeof value !== "number") return "na";
  return value < FEAR_BELOW ? "bearish" : value > GREED_ABOVE ? "bullish" : "neutral";
};

const REGIMES: Readonly<Record<string, BundleDirection>> = { bull: "bullish", bear: "bearish", chop: "neutral" };
export const ofRegime: Signal = ({ regime }) => getOwn(REGIMES, String(regime)) ?? "na";

const VERDICTS: Readonly<Record<string, BundleDirection>> = {
  bullish: "bullish",
  bearish: "bearish",
  neutral: "neutral",
};
/** The row of the whole market. */
export const ofSentimentConsensus: Signal = ({ rows }) => {
  const market = Array.isArray(rows) ? rows.find((row: { scope?: unknown }) => row.scope === "market") : undefined;
  return getOwn(VERDICTS, String((market as { verdict?: unknown } | undefined)?.verdict)) ?? "na";
};

/** Ways to read a direction, by the names that parts of bundles call them by. */
export const SIGNALS = {
  none,
  fear_greed: ofFearGreed,
  regime: ofRegime,
  sentiment_consensus: ofSentimentConsensus,
} as const satisfies Readonly<Record<string, Signal>>;
export type SignalName = keyof typeof SIGNALS;
