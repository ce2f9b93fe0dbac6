import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeSecretFile } from "../../files/secret-file.ts";

const Running = Type.Object({
  /** Id of the serving process. */
  pid: Type.Integer({ minimum: 1 }),
  version: Type.String(),
  url: Type.String(),
  /** Different for every process. */
  started_at: Type.String(),
  /** The reason why the last hand-over failed. */
  failed: Type.Optional(Type.String()),
});

/** The facts that a running node writes for commands on the same machine. */
export type RunningFacts = Static<typeof Running>;

const fileOf = (data_dir: string): string => join(data_dir, "running.json");

export const writeRunning = (data_dir: string, facts: RunningFacts): void =>
  writeSecretFile(fileOf(data_dir), `${JSON.stringify(facts, null, 2)}\n`);

/** Removes the file, unless it already belongs to the next process. */
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
    // EPERM means that another user's process runs. Otherwise the node was killed, or the file is not a node's.
    if (error instanceof Error && "code" in error && error.code === "EPERM") {
      return Value.Decode(Running, JSON.parse(readFileSync(file, "utf8")));
    }
    return null;
  }
}
