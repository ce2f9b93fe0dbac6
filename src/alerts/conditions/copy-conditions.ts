import { renderTime } from "../../core/clock.ts";
import { type CopyState, secondsBehind } from "../../ledger/copy/copy-state.ts";
import type { AlertCondition } from "../types.ts";

/** What a store that was restarted may miss is no trouble yet. */
const BEHIND_S_MAX = 300;
/** An image is taken every day. */
const IMAGE_MS_MAX = 2 * 86_400_000;

/** The continuous copy lacks minutes, or its last whole image is old: with this disk they would be lost. */
export function findLateCopy(copied: CopyState | null, now_ms: number): readonly AlertCondition[] {
  if (copied === null) return [];
  const { to, waiting_since_ms, snapshot_ms, failing } = copied;
  const why = failing === null ? "" : ` ${failing}.`;
  const base = { id: "backup:copy", severity: "critical", for_ms: 0 } as const;
  if (waiting_since_ms !== null && secondsBehind(copied, now_ms) > BEHIND_S_MAX) {
    const minutes = Math.floor(secondsBehind(copied, now_ms) / 60);
    const text = `${to} lacks what was written since ${renderTime(waiting_since_ms)}.${why} Sales go on.`;
    return [{ ...base, title: `the copy of the ledger is ${minutes} minutes behind`, text }];
  }
  if (snapshot_ms !== null && now_ms - snapshot_ms > IMAGE_MS_MAX) {
    const text = `The last one is of ${renderTime(snapshot_ms)}.${why} What was written since is in segments.`;
    return [{ ...base, title: "the copy of the ledger has no new image", text }];
  }
  return [];
}
