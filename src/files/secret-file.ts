import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { readSecret } from "../core/secrets.ts";
import { syncPath } from "../ledger/sqlite/files.ts";

/** A file of a secret that is damaged; the message names it and says what to do. */
export class SecretFileError extends Error {
  override readonly name = "SecretFileError";
}

/**
 * Writes a file that only its owner can read, whole or not at all: temp file, fsync, read back, rename.
 * @throws Error of the system; the file is what it was before then.
 */
export function writeSecretFile(file: string, text: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeWhole(temporary, Buffer.from(text));
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  // Without it a power cut could bring the key back that was there before.
  syncPath(dirname(file), "folder");
}

function writeWhole(file: string, bytes: Uint8Array): void {
  rmSync(file, { force: true });
  const descriptor = openSync(file, "wx", 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  chmodSync(file, 0o600);
  if (!readFileSync(file).equals(bytes)) throw new Error(`${file} reads otherwise than it was written`);
}

/** The secret in a file, without what stands around it; null where there is no file, or nothing in it. */
export const readSecretFile = (file: string): string | null =>
  existsSync(file) ? readSecret(readFileSync(file, "utf8")) : null;
