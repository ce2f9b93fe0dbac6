import { rmSync } from "node:fs";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { BackupTaker } from "../jobs/backup-job.ts";
import { keptBackupOf } from "../ledger/backup.ts";
import { SELF } from "../releases/own-program.ts";

const Report = Type.Object({
  file: Type.String(),
  bytes: Type.Number(),
  sha256: Type.String(),
  audit: Type.Object({ receipts: Type.Number() }),
});

const TIME_MS_MAX = 3_600_000;
const ERROR_CHARS_MAX = 500;

/**
 * Runs `intel-node backup` on a data folder, beside this process, which is writing to it. `environment`: where the
 * books are, when they are not in the folder.
 */
export function createBackupProcess(
  data_dir: string,
  self: readonly string[] = SELF,
  environment: Readonly<Record<string, string>> = {},
): BackupTaker {
  let stop: (() => void) | null = null;
  return {
    cancel: () => stop?.(),
    async take(to) {
      const child = Bun.spawn([...self, "backup", "--json", "--data", data_dir, "--to", to], {
        env: { ...process.env, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
        timeout: TIME_MS_MAX,
      });
      stop = () => child.kill();
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      stop = null;
      if (code !== 0) {
        // One that was ended by a signal could not clean up itself.
        for (const file of [to, keptBackupOf(to)]) {
          for (const ending of [".partial", ".partial-journal"]) rmSync(file + ending, { force: true });
        }
        throw new Error(`backup failed (exit ${code}): ${err.trim().slice(-ERROR_CHARS_MAX)}`);
      }
      const { audit, ...taken }: Static<typeof Report> = Value.Decode(Report, JSON.parse(out));
      return { file: taken.file, bytes: taken.bytes, sha256: taken.sha256, receipts: audit.receipts };
    },
  };
}
