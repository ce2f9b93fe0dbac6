import type { Outcome } from "../../catalog/failover.ts";
import type { BarSeries } from "./bar-series.ts";
import { hasNoHistory } from "./load-bars.ts";

/** A symbol without bars: no venue has that many, or they seem to exist but could not be read. */
export interface MissingBars {
  readonly symbol: string;
  readonly why: "absent" | "unread";
}

/** The symbols whose request failed in `loadManyBars`, in order. */
export const listMissingBars = (
  symbols: readonly string[],
  outcomes: readonly Outcome<BarSeries>[],
): readonly MissingBars[] =>
  outcomes.flatMap((outcome, index): MissingBars[] => {
    const symbol = symbols[index];
    if (outcome.ok || symbol === undefined) return [];
    return [{ symbol, why: hasNoHistory(outcome.error) ? "absent" : "unread" }];
  });

/**
 * Warnings that distinguish a history that is too short from one that could not be read.
 * @param what name of the requested bars, such as "daily bars".
 */
export function describeMissingBars(field: string, what: string, missing: readonly MissingBars[]): string[] {
  const named = (why: MissingBars["why"]) => missing.filter((one) => one.why === why).map(({ symbol }) => symbol);
  const [absent, unread] = [named("absent"), named("unread")];
  return [
    ...(absent.length > 0 ? [`${field}: nobody has enough ${what} of ${absent.join(", ")}`] : []),
    ...(unread.length > 0 ? [`${field}: ${what} of ${unread.join(", ")} could not be read`] : []),
  ];
}
