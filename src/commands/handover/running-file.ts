import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeSecretFile } from "../../files/secret-file.ts";

const Running = Type.Object({
  /** Of the process that serves. */
  pid: Type.Integer({ minimum: 1 }),
  version: Type.String(),
  url: Type.String(),
  /** Changes with every process. */
  started_at: Type.String(),
  /** Why the last attempt to hand over to another process failed. */
  failed: Type.Optional(Type.String()),
});

/** What a running node tells commands on the same machine. */
export type RunningFacts = Static<typeof Running>;

const fileOf = (data_dir: string): string => join(data_dir, "running.json");

export const writeRunning = (data_dir: string, facts: RunningFacts): void =>
  writeSecretFile(fileOf(data_dir), `${JSON.stringify(facts, null, 2)}\n`);

/** The file of a process that has given its place away belongs to the next. */
export function removeRunning(data_dir: string): void {
  if (readRunning(data_dir)?.pid === process.pid) rmSync(fileOf(data_dir), { force: true });
}

/** The facts of the node on a data folder; null when none runs. */
export function readRunning(data_dir: string): RunningFacts | null {
  const file = fileOf(data_dir);
  if (!existsSync(file)) return null;
  try {
    const facts = Value.Decode(Running, JSON.parse(readFileSync(file, "utf8")));
    process.kill(facts.pid, 0);
    return facts;
  } catch (error) {
    // Another user's process is there; else the node was killed, or what stands there is none of ours.
    if (error instanceof Error && "code" in error && error.code === "EPERM") {
      return Value.Decode(Running, JSON.parse(readFileSync(file, "utf8")));
    }
    return null;
  }
}
