import { type Unusable, unusable } from "../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "./clock-skew.ts";

/** One value of a publisher's fear and greed index. */
export interface FearGreedRow {
  /** 0 (fear) to 100 (greed). */
  readonly value: number;
  /** In the publisher's own words. */
  readonly classification: string;
  /** The time the publisher gives the value, ms. */
  readonly at_ms: number;
}

export interface FearGreedReading {
  /** Newest first, at least one. */
  readonly rows: readonly FearGreedRow[];
  /** Null when the publisher does not say. */
  readonly next_update_at_ms: number | null;
}

/** The indices change daily; a newest value this old means that the publisher has stopped. */
const AGE_MAX_MS = 48 * 3_600_000;

/** Why a publisher's answer cannot be used, or undefined. */
export function findReadingFault({ rows }: FearGreedReading, now_ms: number): Unusable | undefined {
  const [newest] = rows;
  if (!newest) return unusable("no value");
  if (!rows.every(({ at_ms }) => Number.isSafeInteger(at_ms))) return unusable("a date cannot be read");
  if (newest.at_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("the newest value is dated in the future");
  if (now_ms - newest.at_ms > AGE_MAX_MS) return unusable("the newest value is older than 48 h");
  const sorted = rows.every(({ at_ms }, index) => index === 0 || at_ms < (rows[index - 1]?.at_ms ?? 0));
  return sorted ? undefined : unusable("the values are not newest first");
}
