import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT } from "./exit-codes.ts";

/** A folder that is removed with the process, however the process ends. */
export interface TemporaryFolder {
  readonly path: string;
  /** Stops handling signals, because another part of the program does so from now on. */
  leaveSignals(): void;
  remove(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export function createTemporaryFolder(prefix: string): TemporaryFolder {
  let path: string | null = null;
  const remove = () => {
    if (path !== null) rmSync(path, { recursive: true, force: true });
  };
  const onSignal = () => {
    remove();
    process.exit(EXIT.forced);
  };
  // Handlers come before the folder, because a signal may arrive at any moment.
  for (const signal of SIGNALS) process.on(signal, onSignal);
  path = mkdtempSync(join(tmpdir(), prefix));
  return {
    path,
    leaveSignals() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
    remove,
  };
}
