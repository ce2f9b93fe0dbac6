import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { WorkloadOptions } from "../storage/workload.ts";
import { readSaid, type Said } from "./storage-facts.ts";
import {
  type Fault,
  recordWorkload,
  renderFaults,
  type StorageEvent,
  traceArguments,
  WORKLOAD,
} from "./storage-trace.ts";

export interface Outcome extends Said {
  /** False when it could not even open its ledger. */
  readonly done: boolean;
  readonly code: number;
  readonly stderr: string;
  /** Everything it noted, line by line. */
  readonly notes: readonly string[];
}

/** One call on the ledger's files: the `nth` of its kind. */
export interface Call {
  readonly call: Fault["call"];
  readonly nth: number;
  /** Made before the ledger said anything: it is being opened. */
  readonly is_opening: boolean;
}

/** The calls a workload makes when nothing fails. */
export function listCalls(options: WorkloadOptions): readonly Call[] {
  const counts = { pwrite64: 0, fsync: 0, ftruncate: 0 };
  let is_opening = true;
  return recordWorkload(options).flatMap((event): Call[] => {
    if (event.is === "note") is_opening = false;
    const call = callOf(event);
    if (call === null) return [];
    counts[call] += 1;
    return [{ call, nth: counts[call], is_opening }];
  });
}

function callOf({ is }: StorageEvent): Fault["call"] | null {
  if (is === "write") return "pwrite64";
  if (is === "sync" || is === "sync_folder") return "fsync";
  return is === "truncate" ? "ftruncate" : null;
}

/** Runs a workload whose disk fails as told. Its notes are kept elsewhere, on a disk that works. */
export async function runFaulty(options: WorkloadOptions, faults: readonly Fault[]): Promise<Outcome> {
  const { folder } = options;
  const acks = `${folder}.acks`;
  mkdirSync(folder, { recursive: true });
  rmSync(acks, { force: true });
  const calls = [...new Set(faults.map(({ call }) => call))].join(",");
  const tracer = [...traceArguments(folder, "/dev/null"), "-e", `trace=${calls}`, ...renderFaults(faults)];
  const command = [...tracer, process.execPath, WORKLOAD, JSON.stringify({ ...options, acks })];
  return await runChild(command, acks);
}

/** Runs a workload by a command and reads its notes. */
export async function runChild(command: readonly string[], acks: string): Promise<Outcome> {
  const child = Bun.spawn([...command], { stdio: ["ignore", "ignore", "pipe"] });
  const [code, stderr] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  const text = existsSync(acks) ? readFileSync(acks, "utf8") : "";
  rmSync(acks, { force: true });
  return { ...readSaid(text), code, stderr, notes: text.split("\n") };
}

export const ledgerFile = (folder: string): string => join(folder, "ledger.db");
