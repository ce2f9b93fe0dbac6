import { chownSync, existsSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf } from "../core/errors.ts";
import { type NodeIdentity, readIdentity } from "../core/identity.ts";
import { keyFileOf } from "../files/identity-file.ts";
import { writeSecretFile } from "../files/secret-file.ts";
import { keptBackupOf } from "../ledger/backup.ts";
import { restoreLedger } from "../ledger/restore.ts";
import { assertKeptBackup } from "../stores/backup-kept.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { renderAudit, renderJSON, summariseAudit } from "./render-audit.ts";

const NO_KEY =
  "no --node-key was given. Without its key the node starts as another one, or not at all where [node] node_id " +
  "names it: receipts it signed, prepaid keys and coupons do not hold. Copy node-key.pem into DIR before it starts; " +
  "a backup does not hold it.";

/** @throws Error when the file does not hold a node's key. */
function readKey(file: string): NodeIdentity {
  try {
    return readIdentity(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} does not hold a node's key: ${messageOf(error)}`, { cause: error });
  }
}

/** The data folder and its missing parent folders, and the first existing parent. */
export function findFolders(data: string): { readonly existing: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  let existing = resolve(data);
  for (; !existsSync(existing); existing = dirname(existing)) missing.push(existing);
  return { existing, missing };
}

/** Gives files restored by root to the folder's owner, so that the node's own user can open them. */
export function giveTo(paths: readonly string[], { uid, gid }: Stats): void {
  if (process.getuid?.() !== 0) return;
  for (const path of paths) chownSync(path, uid, gid);
}

/** Restores a backup into an empty data folder. Exit code 3 when the books failed the audit: nothing was restored. */
export function restoreCommand(
  backup: string,
  { data, json, nodeKey }: { data: string; json: boolean; nodeKey?: string | undefined },
): number {
  try {
    const key = nodeKey === undefined ? null : readKey(nodeKey);
    const { existing, missing } = findFolders(data);
    const owner = statSync(existing);
    const kept = keptBackupOf(backup);
    const has_kept = existsSync(kept);
    if (has_kept) assertKeptBackup(kept);
    const audit = restoreLedger(backup, data, has_kept ? { "kept.db": kept } : {});
    if (json) print(renderJSON({ data, audit: summariseAudit(audit) }));
    else for (const line of renderAudit(audit)) print(line);
    if (!audit.ok) {
      printError(`nothing was restored: the books in ${backup} are broken`);
      return EXIT.audit;
    }
    if (key !== null) writeSecretFile(keyFileOf(data), key.key_file);
    giveTo([...missing, data, ...readdirSync(data).map((name) => join(data, name))], owner);
    if (!json) print(`restored into ${data}${has_kept ? ", with what plugins keep" : ""}`);
    if (!json && key !== null) print(`  it starts as ${key.node_id}`);
    if (key === null) printError(`warning: ${NO_KEY.replaceAll("DIR", data)}`);
    return EXIT.ok;
  } catch (error) {
    printError(`nothing was restored: ${messageOf(error)}`);
    return EXIT.failed;
  }
}
