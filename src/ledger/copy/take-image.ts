import { fstatSync } from "node:fs";
import { messageOf } from "../../core/errors.ts";
import type { CopyRun, Generation } from "./copy-run.ts";
import { holdFile } from "./held-file.ts";
import { readPragma } from "./log-follower.ts";
import { pruneCopy } from "./prune-copy.ts";
import { type SnapshotFacts, writeSnapshot } from "./snapshot.ts";
import { lookAtLog } from "./take-cuts.ts";

/**
 * Starts an image of the whole file when one is due. All of the log is in the file then, and new commits stay out of
 * the file until the image is whole: the bytes do not change while they are read. Segments are sent meanwhile.
 * @param done called when it is over, however it ended.
 * @returns a promise that resolves then, or at once if no image is due.
 */
export async function takeImage(run: CopyRun, done: () => void): Promise<void> {
  const { generation, imaging, clock, limits, pending } = run;
  if (generation === null || run.imaged !== null || !imaging.isDue() || run.trouble() !== null) return;
  const { snapshot_ms } = generation;
  if (snapshot_ms !== null && clock.now() - snapshot_ms < limits.snapshot_every_ms) return;
  lookAtLog(run);
  if (generation !== run.generation || pending.needs_log || !run.log.empty()) return;
  run.imaged = generation;
  run.last_ms = Math.max(run.last_ms, clock.now());
  const facts: SnapshotFacts = {
    generation: generation.name,
    owner: run.order.owner,
    cut: generation.last_cut,
    at_ms: run.last_ms,
    bytes: readPragma(run.db, "page_count") * run.page_bytes,
    page_bytes: run.page_bytes,
    before: generation.before,
  };
  await writeImage(run, generation, facts)
    .then(imaging.worked.bind(imaging), (error: unknown) => imaging.failed(messageOf(error)))
    .finally(() => {
      if (run.imaged === generation) run.imaged = null;
      done();
    });
}

async function writeImage(run: CopyRun, generation: Generation, facts: SnapshotFacts): Promise<void> {
  const descriptor = holdFile(run.db.filename);
  if (fstatSync(descriptor).size < facts.bytes) throw new Error("the ledger file is shorter than it says");
  const isWanted = () => run.imaged === generation && !run.ended;
  const manifest = await writeSnapshot(run.store, facts, { descriptor, isWanted });
  if (manifest === null) throw new Error("the image was given up: the books change faster than it is sent");
  run.imaged = null;
  generation.snapshot_ms = manifest.at_ms;
  run.copied_ms = Math.max(run.copied_ms ?? 0, manifest.at_ms);
  if (run.generation === generation) run.lacking_ms = null;
  await pruneCopy(run.store, { now_ms: run.clock.now(), keep_ms: run.order.keep_ms });
}
