import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { AuditReport } from "../../ledger/audit.ts";
import { restoreLedger } from "../../ledger/restore.ts";
import { syncPath } from "../../ledger/sqlite/files.ts";
import { assertKeptBackup } from "../../stores/backup-kept.ts";
import {
  CONFIG_NAME,
  DATA_FOLDER,
  isWholeName,
  KEPT_NAME,
  LEDGER_NAME,
  MANIFEST_NAME,
  PLUGINS_FOLDER,
  parseManifest,
  type WholeManifest,
} from "./manifest.ts";
import { readSealed } from "./sealed-file.ts";
import { type FileSink, unpackTar } from "./tar.ts";

/** Folder of the files until all of them are verified. */
const WORK = ".restoring-whole";

export interface WholeRestore {
  readonly manifest: WholeManifest;
  /** If not ok, nothing was restored. */
  readonly audit: AuditReport;
}

/**
 * Restores a node from its sealed backup into an empty folder: `node.toml`, `plugins` and `data`. The file is read
 * twice, so that nothing is written before every piece of it is verified.
 * @throws SealError for a wrong passphrase or a damaged or truncated file; Error when the folder is not empty. The
 * folder is then unchanged.
 */
export function restoreWhole(file: string, passphrase: string, to: string): WholeRestore {
  const made = !existsSync(to);
  if (!made) assertEmpty(to);
  proveWhole(file, passphrase);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const work = join(to, WORK);
  let done = false;
  try {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { mode: 0o700 });
    unpackTar(readSealed(file, passphrase), (name) => writeTo(join(work, name)));
    const manifest = parseManifest(readFileSync(join(work, MANIFEST_NAME), "utf8"));
    const audit = moveIntoPlace(work, to);
    done = audit.ok;
    return { manifest, audit };
  } finally {
    rmSync(work, { recursive: true, force: true });
    // Not removed recursively, so that files that somebody else put there meanwhile stay.
    if (!done && made && readdirSync(to).length === 0) rmdirSync(to);
  }
}

function assertEmpty(directory: string): void {
  if (!statSync(directory).isDirectory()) throw new Error(`${directory} is not a folder`);
  const found = readdirSync(directory).filter((name) => name !== WORK);
  if (found.length === 0) return;
  throw new Error(`${directory} is not empty (${found.slice(0, 3).join(", ")}): a restore needs an empty folder`);
}

/** @throws Error unless every piece is intact, every required file is present, and there is no other file. */
function proveWhole(file: string, passphrase: string): void {
  const seen = new Set<string>();
  unpackTar(readSealed(file, passphrase), (name) => {
    if (!isWholeName(name) || seen.has(name)) throw new Error(`${file} holds ${name}, which is no part of a backup`);
    seen.add(name);
    return { write: () => undefined, end: () => undefined };
  });
  for (const name of [MANIFEST_NAME, CONFIG_NAME, LEDGER_NAME]) {
    if (!seen.has(name)) throw new Error(`${file} does not hold ${name}: it is no backup of a whole node`);
  }
}

function writeTo(path: string): FileSink {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const descriptor = openSync(path, "wx", 0o600);
  return {
    write(bytes) {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
    },
    end() {
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
  };
}

/** Restores the audited books first: without its key, the data folder cannot start the node yet. */
function moveIntoPlace(work: string, to: string): AuditReport {
  const kept = join(work, KEPT_NAME);
  const has_kept = existsSync(kept);
  if (has_kept) assertKeptBackup(kept);
  const data = join(to, DATA_FOLDER);
  const audit = restoreLedger(join(work, LEDGER_NAME), data, has_kept ? { "kept.db": kept } : {});
  if (!audit.ok) return audit;
  for (const path of [LEDGER_NAME, KEPT_NAME]) rmSync(join(work, path), { force: true });
  for (const name of readdirSync(join(work, DATA_FOLDER))) renameSync(join(work, DATA_FOLDER, name), join(data, name));
  const plugins = join(work, PLUGINS_FOLDER);
  if (existsSync(plugins)) renameSync(plugins, join(to, PLUGINS_FOLDER));
  // The configuration comes last, so that its presence means that everything else is in place.
  renameSync(join(work, CONFIG_NAME), join(to, CONFIG_NAME));
  for (const folder of [data, to]) syncPath(folder, "folder");
  return audit;
}
