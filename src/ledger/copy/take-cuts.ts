import type { CopyRun, Generation } from "./copy-run.ts";
import { sizeOf } from "./log-follower.ts";

/**
 * The store's state cannot be continued any more: the next generation begins with its own image, and records that
 * commits before it are missing.
 */
function giveUp(run: CopyRun, why: string): void {
  run.lacking_ms ??= run.pending.oldest_ms ?? Math.max(run.last_ms, run.copied_ms ?? 0);
  if (run.generation !== null) run.before = endOf(run.generation, run.lacking_ms);
  run.generation = null;
  run.imaged = null;
  run.pending.clear();
  run.sending.failed(why);
}

function endOf({ name, snapshot_ms, sent_cut, before }: Generation, lost_ms: number): CopyRun["before"] {
  // Without an image nothing can be restored from it: it counts as never begun.
  if (snapshot_ms === null) return before && { ...before, lost_ms: before.lost_ms ?? lost_ms };
  return { generation: name, cut: sent_cut, lost_ms };
}

/** Takes what was committed since the last look as the next cut. */
export function lookAtLog(run: CopyRun): void {
  const { generation, pending } = run;
  if (generation === null || run.trouble() !== null) return;
  const found = run.log.look();
  if (found === null) return;
  if (found === "lost") {
    giveUp(run, "another program wrote the ledger's log into its file");
    return;
  }
  run.last_ms = Math.max(run.last_ms, run.clock.now());
  generation.last_cut += 1;
  pending.add({ number: generation.last_cut, at_ms: run.last_ms }, found.from, found.read);
}

/** @returns false only when a reader keeps the log from being emptied; a log that is still needed is left. */
export function checkpointRun(run: CopyRun): boolean {
  lookAtLog(run);
  if (run.generation !== null && (run.imaged !== null || run.pending.needs_log)) return true;
  return run.log.empty();
}

/** Keeps the log from growing without an end, whatever the store does. */
export function boundLog(run: CopyRun): void {
  const { limits, db, log, sending } = run;
  if (log.bytes() < limits.checkpoint_bytes) return;
  checkpointRun(run);
  if (log.bytes() < Math.max(limits.log_bytes_max, sizeOf(db.filename))) return;
  // An image that takes longer than the log may grow is tried again; what was not sent is given up last.
  if (run.imaged !== null) run.imaged = null;
  else if (run.generation !== null) giveUp(run, sending.why ?? "the store takes less than the books change");
  checkpointRun(run);
}
