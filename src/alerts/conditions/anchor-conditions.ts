import { renderTime } from "../../core/clock.ts";
import type { AnchorTroubles } from "../../trust/anchors.ts";
import type { AlertCondition } from "../types.ts";

const HOUR_MS = 3_600_000;
/** Each hour it is tried again. */
const UNTAKEN_MS = 6 * HOUR_MS;
/** Calendars wait for cheap blocks, a day at most as a rule. */
const UNATTESTED_MS = 72 * HOUR_MS;

/** Public timestamps that nobody takes, or that come to nothing. What is signed is signed all the same. */
export function findUnanchored(troubles: AnchorTroubles, now_ms: number): readonly AlertCondition[] {
  const { untaken_since_ms, unattested_since_ms, reason } = troubles;
  const why = reason === null ? "" : ` The newest reason: ${reason}.`;
  const base = { id: "anchors", severity: "warning", for_ms: 0 } as const;
  if (untaken_since_ms !== null && now_ms - untaken_since_ms > UNTAKEN_MS) {
    const text = `Since ${renderTime(untaken_since_ms)} none of [proof.anchor] calendars took one.${why}`;
    return [{ ...base, title: "no calendar takes the node's timestamps", text }];
  }
  if (unattested_since_ms !== null && now_ms - unattested_since_ms > UNATTESTED_MS) {
    const text = `What calendars took at ${renderTime(unattested_since_ms)} is in no block of Bitcoin yet.${why}`;
    return [{ ...base, title: "calendars do not keep what they promised", text }];
  }
  return [];
}
