import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../core/errors.ts";
import { type Backup, backupLedger, backupName, keptBackupOf } from "../ledger/backup.ts";
import { backupPostgres } from "../ledger/postgres/backup.ts";
import type { LedgerPlace } from "../node/ledger-place.ts";
import { backupKept } from "../stores/backup-kept.ts";
import { type DataFolderOptions, findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { renderAudit, renderJSON, summariseAudit } from "./render-audit.ts";

/**
 * Writes one proved file of the ledger, while the node may run. `to` is a folder, then the file is named after the
 * time, or the file itself. Exit code 3 when the books did not prove true: then there is no backup.
 */
export async function backupCommand(
  options: DataFolderOptions & { readonly to: string; readonly json: boolean },
): Promise<number> {
  const found = await findLedger(options);
  if ("faults" in found) {
    printError(found.faults);
    return EXIT.config;
  }
  const { to, json } = options;
  const is_folder = to.endsWith("/") || (existsSync(to) && statSync(to).isDirectory());
  try {
    const { backup, kept } = await backUp(found, is_folder ? join(to, backupName(Date.now())) : to);
    if (json) print(renderJSON({ ...backup, kept, audit: summariseAudit(backup.audit) }));
    if (backup.file === null) {
      for (const line of renderAudit(backup.audit)) printError(line);
      printError("no backup was made: the books are broken");
      return EXIT.audit;
    }
    if (!json) for (const line of renderBackup(backup, kept)) print(line);
    return EXIT.ok;
  } catch (error) {
    printError(`no backup was made: ${messageOf(error)}`);
    return EXIT.failed;
  }
}

/** What plugins keep goes first: a backup of the ledger that has its name is whole. */
async function backUp(place: LedgerPlace & { readonly directory: string }, to: string) {
  const kept = keptBackupOf(to);
  const has_kept = backupKept(join(place.directory, "kept.db"), kept);
  let done = false;
  try {
    const backup = place.address === null ? backupLedger(place.file, to) : await backupPostgres(place.address, to);
    done = backup.file !== null;
    return { backup, kept: has_kept && done ? kept : null };
  } finally {
    if (has_kept && !done) rmSync(kept, { force: true });
  }
}

const renderBackup = ({ file, bytes, sha256, audit }: Backup, kept: string | null): readonly string[] => [
  file,
  `sha256 ${sha256}`,
  `${bytes} bytes, on disk, every rule of the audit holds in it`,
  ...(kept === null ? [] : [`${kept} (what plugins keep): leave it beside the backup, restore takes both`]),
  ...renderAudit(audit),
  "Keep node-key.pem too: it is not in the backup, and it never changes.",
];
