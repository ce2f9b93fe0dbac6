import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { renderTime } from "../../core/clock.ts";
import { findIdentity } from "../../files/identity-file.ts";
import type { LedgerPlace } from "../../files/ledger-place.ts";
import type { AuditReport } from "../../ledger/audit.ts";
import { assertFree, giveName, partialOf } from "../../ledger/backup.ts";
import { VERSION } from "../../releases/version.ts";
import { backUp } from "../backup.ts";
import type { LoadedFile } from "../load-config-file.ts";
import { listSecrets } from "../node-secrets.ts";
import { createRedactor } from "../redact.ts";
import {
  CONFIG_NAME,
  DATA_FOLDER,
  KEPT_NAME,
  LEDGER_NAME,
  MANIFEST_NAME,
  PLAIN_DATA_FILES,
  PLUGINS_FOLDER,
  renderManifest,
  SECRET_DATA_FILES,
  type WholeManifest,
} from "./manifest.ts";
import { listNotInIt } from "./not-in-it.ts";
import { createSealer, type Sealer } from "./sealed-file.ts";
import { renderTarEnd, renderTarHead, renderTarPadding } from "./tar.ts";

const CHUNK_BYTES = 1024 * 1024;

export interface WholeBackupOptions {
  readonly loaded: LoadedFile;
  /** The text of the configuration, as written by the operator. */
  readonly config_file: string;
  readonly place: LedgerPlace & { readonly directory: string };
  readonly to: string;
  readonly passphrase: string;
  readonly secrets: boolean;
  readonly now_ms: number;
}

export interface WholeBackup {
  /** null when the books failed the audit: then nothing was written. */
  readonly file: string | null;
  readonly bytes: number;
  readonly manifest: WholeManifest | null;
  /** Links and special files in the plugin folder. */
  readonly left_out: readonly string[];
  readonly audit: AuditReport;
}

/** One file of the archive: its bytes, or the path of its bytes. */
interface Entry {
  readonly name: string;
  readonly from: { readonly file: string } | { readonly bytes: Buffer };
}

/**
 * Writes configuration, plugins, keys, books and the plugins' kept data into one sealed file; the node may run. Only
 * the copies of the two databases are on disk meanwhile. They are readable only by their owner and have no secrets.
 * @throws Error when the target exists, or a read or write fails; nothing is left behind then.
 */
export async function writeWhole(options: WholeBackupOptions): Promise<WholeBackup> {
  const { place, to, secrets, now_ms, loaded } = options;
  assertFree(to);
  const work = `${to}.work`;
  if (existsSync(work)) throw new Error(`${work} exists: another backup is writing it, or one was cut off; remove it`);
  mkdirSync(work, { mode: 0o700 });
  try {
    const { backup, kept } = await backUp(place, join(work, "ledger.db"));
    if (backup.file === null) return { file: null, bytes: 0, manifest: null, left_out: [], audit: backup.audit };
    const plugins = listPlugins(loaded.config.plugins.dir);
    const manifest = {
      version: VERSION,
      made_at: renderTime(now_ms),
      node_id: findIdentity(place.directory)?.node_id ?? null,
      secrets,
      ledger_sha256: backup.sha256,
      not_in_it: listNotInIt(loaded),
    };
    seal(options, [
      { name: MANIFEST_NAME, from: { bytes: Buffer.from(renderManifest(manifest)) } },
      { name: CONFIG_NAME, from: { bytes: readConfig(options) } },
      ...plugins.entries,
      ...listData(place.directory, secrets),
      ...(kept === null ? [] : [{ name: KEPT_NAME, from: { file: kept } }]),
      { name: LEDGER_NAME, from: { file: backup.file } },
    ]);
    const { size: bytes } = statSync(to);
    return { file: to, bytes, manifest: { form: 1, ...manifest }, left_out: plugins.left_out, audit: backup.audit };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The configuration; with "***" for every secret if secrets are left out. */
function readConfig({ config_file, secrets, loaded }: WholeBackupOptions): Buffer {
  const bytes = readFileSync(config_file);
  return secrets ? bytes : Buffer.from(createRedactor(listSecrets(loaded))(bytes.toString("utf8")));
}

function listData(directory: string, secrets: boolean): readonly Entry[] {
  const names = [...PLAIN_DATA_FILES, ...(secrets ? SECRET_DATA_FILES : [])];
  return names
    .map((name) => ({ name: `${DATA_FOLDER}/${name}`, file: join(directory, name) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, from: { bytes: readFileSync(file) } }));
}

/** Every plain file of the plugin folder. Links are only named, because their targets may be anywhere. */
function listPlugins(dir: string | undefined): { readonly entries: readonly Entry[]; readonly left_out: string[] } {
  const left_out: string[] = [];
  if (dir === undefined || !existsSync(dir)) return { entries: [], left_out };
  const entries: Entry[] = [];
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) continue;
    if (!entry.isFile()) left_out.push(file);
    else {
      const path = file.slice(join(dir, "/").length).replaceAll("\\", "/");
      entries.push({ name: `${PLUGINS_FOLDER}/${path}`, from: { file } });
    }
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries, left_out };
}

function seal({ to, passphrase }: WholeBackupOptions, entries: readonly Entry[]): void {
  const partial = partialOf(to);
  const descriptor = openSync(partial, "wx", 0o600);
  try {
    try {
      const sealer = createSealer(descriptor, passphrase);
      for (const entry of entries) packEntry(sealer, entry);
      sealer.write(renderTarEnd());
      sealer.end();
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    giveName(partial, to);
  } finally {
    rmSync(partial, { force: true });
  }
}

function packEntry(sealer: Sealer, { name, from }: Entry): void {
  if ("bytes" in from) {
    sealer.write(renderTarHead({ name, bytes: from.bytes.length, mode: 0o600 }));
    sealer.write(from.bytes);
    sealer.write(renderTarPadding(from.bytes.length));
    return;
  }
  const { size } = statSync(from.file);
  sealer.write(renderTarHead({ name, bytes: size, mode: 0o600 }));
  const descriptor = openSync(from.file, "r");
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let left = size; left > 0; ) {
      const read = readSync(descriptor, chunk, 0, Math.min(left, chunk.length), null);
      if (read === 0) throw new Error(`${from.file} became shorter while it was read`);
      sealer.write(chunk.subarray(0, read));
      left -= read;
    }
  } finally {
    closeSync(descriptor);
  }
  sealer.write(renderTarPadding(size));
}
