import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { WorkloadOptions } from "../storage/workload.ts";

/** One change of a folder or of a file in it, in the order the program made them. */
export type StorageEvent =
  | { readonly is: "write"; readonly name: string; readonly offset: number; readonly data: Uint8Array }
  | { readonly is: "truncate"; readonly name: string; readonly size: number }
  | { readonly is: "create"; readonly name: string }
  | { readonly is: "remove"; readonly name: string }
  | { readonly is: "sync"; readonly name: string }
  | { readonly is: "sync_folder" }
  /** A line of the workload's own notes. */
  | { readonly is: "note"; readonly text: string };

export const WORKLOAD = join(import.meta.dir, "..", "storage", "workload.ts");
/** Files whose fate is followed, besides the notes. */
const LEDGER_FILES = ["ledger.db", "ledger.db-wal", "ledger.db-journal", "ledger.db-shm"] as const;
/** Any other call that changes one of them is a reason to stop: the recording would be wrong. */
const CALLS = [
  ...["openat", "creat", "write", "writev", "pwrite64", "pwritev", "pwritev2", "fsync", "fdatasync", "ftruncate"],
  ...["truncate", "unlink", "unlinkat", "rename", "renameat", "renameat2", "fallocate", "sync_file_range", "msync"],
];

export const traceArguments = (folder: string, out: string): string[] => [
  ...["strace", "-f", "--seccomp-bpf", "-y", "-xx", "-s", "1000000", "-o", out],
  ...[folder, ...LEDGER_FILES.map((name) => join(folder, name))].flatMap((path) => ["-P", path]),
];

/** One kind of call on the ledger's files that is made to fail. */
export interface Fault {
  readonly call: "pwrite64" | "fsync" | "ftruncate";
  readonly error: "EIO" | "ENOSPC";
  /** The how manieth calls of that kind, from 1: "3", "3+", "3..9". */
  readonly when: string;
}

export const renderFaults = (faults: readonly Fault[]): readonly string[] =>
  faults.flatMap(({ call, error, when }) => ["-e", `inject=${call}:error=${error}:when=${when}`]);

/** Runs a workload in a new folder and records everything it does to the ledger's files, and what fails of it. */
export function recordWorkload(options: WorkloadOptions, faults: readonly Fault[] = []): readonly StorageEvent[] {
  const { folder } = options;
  const out = `${folder}.trace`;
  mkdirSync(folder);
  try {
    const tracer = [...traceArguments(folder, out), "-P", join(folder, "acks"), "-e", `trace=?${CALLS.join(",?")}`];
    const command = [...tracer, ...renderFaults(faults), process.execPath, WORKLOAD, JSON.stringify(options)];
    const child = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
    if (child.exitCode !== 0) throw new Error(`the workload ended with ${child.exitCode}: ${child.stderr}`);
    return parseTrace(readFileSync(out, "latin1"), folder);
  } finally {
    rmSync(out, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Call {
  readonly name: string;
  readonly given: string;
  readonly result: number;
}

/** @throws Error for a line it does not understand. */
function parseTrace(text: string, folder: string): readonly StorageEvent[] {
  const events: StorageEvent[] = [];
  const names = new Set<string>();
  for (const { name, given, result } of readCalls(text)) {
    // A call that failed changed nothing.
    if (result < 0) continue;
    if (name === "openat") {
      const path = unhex(/"((?:\\x[0-9a-f]{2})*)"/.exec(given)?.[1] ?? "");
      const file = basename(path);
      if (!path.startsWith(`${folder}/`) || file === "acks") continue;
      if (given.includes("O_CREAT") && !names.has(file)) events.push({ is: "create", name: file });
      if (given.includes("O_TRUNC")) events.push({ is: "truncate", name: file, size: 0 });
      names.add(file);
      continue;
    }
    if (name === "unlink" || name === "unlinkat") {
      const file = basename(unhex(/"((?:\\x[0-9a-f]{2})*)"/.exec(given)?.[1] ?? ""));
      names.delete(file);
      events.push({ is: "remove", name: file });
      continue;
    }
    events.push(...readFileCall({ name, given, result }, folder));
  }
  return events;
}

/** A call on an open file. */
function readFileCall({ name, given, result }: Call, folder: string): readonly StorageEvent[] {
  const path = unhex(/<((?:\\x[0-9a-f]{2})*)>/.exec(given)?.[1] ?? "");
  const file = basename(path);
  const data = (): Uint8Array => Buffer.from((/"([^"]*)"/.exec(given)?.[1] ?? "").replaceAll("\\x", ""), "hex");
  const last = Number(given.slice(given.lastIndexOf(",") + 1));
  if (name === "write" && file === "acks") {
    const lines = Buffer.from(data()).toString("utf8").trimEnd().split("\n");
    return lines.map((line) => ({ is: "note", text: line }));
  }
  if (name === "pwrite64") return [{ is: "write", name: file, offset: last, data: data().subarray(0, result) }];
  if (name === "ftruncate") return [{ is: "truncate", name: file, size: last }];
  if (name === "fsync" || name === "fdatasync") {
    return path === folder ? [{ is: "sync_folder" }] : [{ is: "sync", name: file }];
  }
  throw new Error(`the recorder does not know ${name} on ${path}`);
}

/** Whole calls in the order they ended: strace splits one that another thread interrupts. */
function* readCalls(text: string): Generator<Call> {
  const started = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    let line = text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
    const thread = /^\d+/.exec(line)?.[0] ?? "";
    line = line.slice(thread.length).trimStart();
    if (line.startsWith("+++") || line.startsWith("---") || line === "") continue;
    if (line.endsWith("<unfinished ...>")) {
      started.set(thread, line.slice(0, -"<unfinished ...>".length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(line);
    if (resumed) line = `${started.get(thread) ?? ""}${line.slice(resumed[0].length)}`;
    const open = line.indexOf("(");
    // All text is hexadecimal, so this is nowhere else.
    const result = /\)\s+= (-?\d+)/.exec(line);
    if (open < 0 || !result) throw new Error(`a line of the trace cannot be read: ${line.slice(0, 200)}`);
    yield { name: line.slice(0, open), given: line.slice(open + 1, result.index), result: Number(result[1]) };
  }
}

const unhex = (text: string): string => Buffer.from(text.replaceAll("\\x", ""), "hex").toString("utf8");
