import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT } from "./exit-codes.ts";

/** A folder that does not outlive the process, however that is told to end. */
export interface TemporaryFolder {
  readonly path: string;
  /** From now on somebody else answers signals. */
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
  // Before there is a folder: a signal may come at any moment.
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
