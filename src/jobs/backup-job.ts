import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import { renderTime } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { backupName, keptBackupOf } from "../ledger/backup.ts";
import type { ScheduledJob } from "./scheduler.ts";

/** A backup that was proved and is on disk. */
export interface TakenBackup {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly receipts: number;
}

/** Makes one backup in its own process: proving a long ledger takes seconds, in which the node must answer. */
export interface BackupTaker {
  /** @throws Error when there is no backup. */
  take(to: string): Promise<TakenBackup>;
  /** Ends the backup that is being made, if any. */
  cancel(): void;
}

export interface BackupJobOptions {
  readonly dir: string;
  readonly every_ms: number;
  readonly keep: number;
  readonly clock: Clock;
  readonly taker: BackupTaker;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

/** How often it is asked whether a backup is due: a node that was down at the hour still gets its backup. */
const LOOK_MS = 600_000;
/** What a backup that was cut off leaves behind is removed after this. */
const PARTIAL_MS_MAX = 86_400_000;
const FORM = /^ledger-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z(?:\.kept)?\.db(\.partial(?:-journal)?)?$/;

/** The time in a backup's name, ms; null for any other file. */
function timeOf(name: string): number | null {
  const parts = FORM.exec(name)?.slice(1, 7).map(Number);
  if (!parts) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

interface Found {
  readonly name: string;
  readonly at_ms: number;
}

/** Backups in a folder, newest first. Those from the future, of a clock that was wrong, count as the oldest. */
function listBackups(dir: string, now_ms: number): readonly Found[] {
  const rank = ({ at_ms }: Found) => (at_ms > now_ms ? -at_ms : at_ms);
  return readdirSync(dir)
    .filter((name) => name.endsWith(".db") && !name.endsWith(".kept.db"))
    .flatMap((name) => {
      const at_ms = timeOf(name);
      return at_ms === null ? [] : [{ name, at_ms }];
    })
    .sort((a, b) => rank(b) - rank(a));
}

/** A copy of kept.db whose ledger was never written. */
const isOrphan = (dir: string, name: string): boolean =>
  name.endsWith(".kept.db") && !existsSync(join(dir, name.replace(/\.kept\.db$/, ".db")));

function removePartials(dir: string, now_ms: number): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (timeOf(name) === null || (name.endsWith(".db") && !isOrphan(dir, name))) continue;
    if (now_ms - statSync(path).mtimeMs > PARTIAL_MS_MAX) rmSync(path, { force: true });
  }
}

/**
 * Backs the ledger up when the newest backup is older than `every_ms`, and keeps the newest `keep`. Old ones go only
 * after a new one was proved: a node whose backups fail never loses the last good one.
 */
export function createBackupJob({ dir, every_ms, keep, clock, taker, log }: BackupJobOptions): ScheduledJob {
  let last: (TakenBackup & { readonly at_ms: number }) | null = null;
  let failed: { readonly at_ms: number; readonly why: string } | null = null;

  const isDue = (now_ms: number): boolean => {
    const newest = listBackups(dir, now_ms).find(({ at_ms }) => at_ms <= now_ms);
    return newest === undefined || now_ms - newest.at_ms >= every_ms;
  };

  const backUp = async (now_ms: number): Promise<void> => {
    removePartials(dir, now_ms);
    const taken = await taker.take(join(dir, backupName(now_ms)));
    last = { ...taken, at_ms: now_ms };
    failed = null;
    const old = listBackups(dir, clock.now()).slice(keep);
    for (const { name } of old) {
      // The ledger first: one without its other half is no backup to choose from.
      for (const file of [name, keptBackupOf(name)]) rmSync(join(dir, file), { force: true });
    }
    const removed = old.length;
    log({ event: "backup_taken", ...taken, removed, took_ms: clock.now() - now_ms });
  };

  return {
    id: "ledger-backup",
    schedule: { every_ms: Math.min(every_ms, LOOK_MS) },
    at_start: false,
    cancel: taker.cancel,
    detail: () => ({
      dir,
      last_backup: last && { at: renderTime(last.at_ms), file: last.file, bytes: last.bytes, sha256: last.sha256 },
      last_failure: failed && { at: renderTime(failed.at_ms), why: failed.why },
    }),
    run: async () => {
      const now_ms = clock.now();
      try {
        if (isDue(now_ms)) await backUp(now_ms);
      } catch (error) {
        failed = { at_ms: now_ms, why: messageOf(error) };
        throw error;
      }
    },
  };
}
