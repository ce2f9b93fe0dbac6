import { existsSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname } from "node:path";
import { syncPath } from "./sqlite/files.ts";

/** What SQLite keeps beside a file: its write-ahead log, which is part of the books, and the index of that log. */
const BESIDE = ["-wal", "-shm"] as const;

/** "20261128T093000123Z": part of a file's name, in the order of time. */
export const stampOf = (now_ms: number): string => new Date(now_ms).toISOString().replace(/[-:.]/g, "");

/** The copy of a ledger as it was before another program took over. */
export const upgradeCopyOf = (ledger: string, stamp: string): string => `${ledger}.before-handover-${stamp}`;
/** Where a ledger is set aside when that copy takes its place. */
export const undoneLedgerOf = (ledger: string, stamp: string): string => `${ledger}.undone-${stamp}`;

/** Renames a file if it is there; the new name is on disk when this returns. */
function rename(from: string, to: string): void {
  if (!existsSync(from)) return;
  if (existsSync(to)) throw new Error(`${to} exists: nothing is written over it`);
  renameSync(from, to);
  syncPath(dirname(to), "folder");
}

/**
 * Gives a ledger file and its log another name. A reader that has it open goes on reading it. The file comes first: a
 * log without its file is never taken for part of another one, see `openLedgerFile`.
 * @throws Error when a new name is taken; nothing is ever written over.
 */
export function setAside(ledger: string, to: string): void {
  for (const ending of ["", ...BESIDE]) rename(ledger + ending, to + ending);
}

/** The steps of putting a copy back, in order. Each may have been done before: then it does nothing. */
export const listPutBackSteps = (ledger: string, stamp: string): readonly (() => void)[] => [
  ...["", ...BESIDE].map((ending) => () => rename(ledger + ending, undoneLedgerOf(ledger, stamp) + ending)),
  () => rename(upgradeCopyOf(ledger, stamp), ledger),
];

/**
 * Puts the copy of before a hand-over in the ledger's place, which is set aside together with its log. The data folder
 * must be locked. Cut off anywhere, it is finished by `finishPutBack`.
 * @throws Error of the system.
 */
export function putBack(ledger: string, stamp: string): void {
  for (const step of listPutBackSteps(ledger, stamp)) step();
}

/**
 * Finishes a put-back that was cut off: there is no ledger, one was set aside, and the copy of the same moment still
 * waits for its name. A process that takes the data folder does this before it looks for the ledger.
 */
export function finishPutBack(ledger: string): void {
  if (existsSync(ledger)) return;
  const form = new RegExp(`^${RegExp.escape(basename(upgradeCopyOf(ledger, "")))}([0-9TZ]+)$`);
  const stamps = readdirSync(dirname(ledger)).flatMap((name) => form.exec(name)?.[1] ?? []);
  const begun = stamps.sort().findLast((stamp) => existsSync(undoneLedgerOf(ledger, stamp)));
  if (begun !== undefined) putBack(ledger, begun);
}

/** Sets aside a log that is where a new ledger is to come: it would be read as part of that one. */
export function setLogAside(ledger: string, stamp: string): void {
  if (existsSync(ledger)) throw new Error(`the log of ${ledger} is part of it`);
  setAside(ledger, `${ledger}.left-${stamp}`);
}
