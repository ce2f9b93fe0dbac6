import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../core/errors.ts";
import { findIdentity, keyFileOf, nextKeyFileOf } from "../files/identity-file.ts";
import type { LedgerPlace } from "../files/ledger-place.ts";
import { type Backup, backupLedger, backupName, keptBackupOf } from "../ledger/backup.ts";
import { backupPostgres } from "../ledger/postgres/backup.ts";
import { backupKept } from "../stores/backup-kept.ts";
import { type DataFolderOptions, findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { renderAudit, renderJSON, summariseAudit } from "./render-audit.ts";

/**
 * Writes a backup of the ledger as one verified file; the node may run. `to` is the file, or a folder, in which the
 * file is named by time. Exit code 3 when the books failed the audit: then there is no backup.
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
    const node_key = describeKey(found.directory);
    if (json) print(renderJSON({ ...backup, kept, node_key, audit: summariseAudit(backup.audit) }));
    if (backup.file === null) {
      for (const line of renderAudit(backup.audit)) printError(line);
      printError("no backup was made: the books are broken");
      return EXIT.audit;
    }
    if (!json) for (const line of [...renderBackup(backup, kept), ...renderKey(node_key, found.directory)]) print(line);
    return EXIT.ok;
  } catch (error) {
    printError(`no backup was made: ${messageOf(error)}`);
    return EXIT.failed;
  }
}

/** Copies the plugins' data first, so that a ledger file under its final name means a complete backup. */
export async function backUp(place: LedgerPlace & { readonly directory: string }, to: string) {
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
];

/** The node's current key; null if the folder has none. */
function describeKey(directory: string) {
  const identity = findIdentity(directory);
  if (identity === null) return null;
  const { key_name, node_id, retired } = identity;
  return { key_name, node_id, since: retired[0]?.retired_at ?? null, has_next: existsSync(nextKeyFileOf(directory)) };
}

/** The hint on what else a restore needs, because the backup holds no key. */
function renderKey(key: ReturnType<typeof describeKey>, directory: string): readonly string[] {
  const file = keyFileOf(directory);
  if (key === null) return [`${file} is not there: what this ledger sold holds only with its key, wherever that is.`];
  const { key_name, node_id, since, has_next } = key;
  const which =
    since === null
      ? `${node_id}. It changes only when you rotate it.`
      : `${key_name}, ${node_id}, since ${since}. A copy from before then holds another key.`;
  return [
    `Keep ${file} too, it is not in the backup: ${which}`,
    ...(has_next ? [`And ${nextKeyFileOf(directory)}: the key prepared for the next rotation.`] : []),
  ];
}
