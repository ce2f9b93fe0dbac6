import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../core/errors.ts";
import { createIdentity, type NodeIdentity, readIdentity } from "../core/identity.ts";
import { randomText } from "../core/ids.ts";
import { syncPath } from "../ledger/files.ts";

/** Writes a file that only its owner can read, whole or not at all: temp file, fsync, rename. */
export function writeSecretFile(file: string, text: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.tmp`;
  const descriptor = openSync(temporary, "w", 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
  // Without it a power cut could bring the key back that was there before.
  syncPath(dirname(file), "folder");
}

const readOrCreate = (file: string, create: () => string): string => {
  if (!existsSync(file)) writeSecretFile(file, create());
  return readFileSync(file, "utf8");
};

/** The node's key and the history of those before it. */
export const keyFileOf = (directory: string): string => join(directory, "node-key.pem");
/** A key that is made already and becomes the node's at the next rotation. */
export const nextKeyFileOf = (directory: string): string => join(directory, "node-key.next.pem");

/** The node's key, made at the first start and kept in the data folder. */
export const loadIdentity = (directory: string): NodeIdentity => readKeyFile(keyFileOf(directory));

/** @throws Error that names the file when it is damaged: a new key in its place would be another node. */
function readKeyFile(file: string): NodeIdentity {
  const text = readOrCreate(file, () => createIdentity().key_file);
  try {
    return readIdentity(text);
  } catch (error) {
    throw new Error(`${file} does not hold a node's key: put your copy of it back (${messageOf(error)})`, {
      cause: error,
    });
  }
}

/** Tells this data folder from every other one, those of the same node's key included. */
export const loadInstance = (directory: string): string =>
  readOrCreate(join(directory, "instance"), () => `node_${randomText(16)}`).trim();

/** The node's key when it has one already. */
export const findIdentity = (directory: string): NodeIdentity | null =>
  existsSync(keyFileOf(directory)) ? loadIdentity(directory) : null;

/** The key that was prepared for the next rotation, when there is one. */
export const findNextIdentity = (directory: string): NodeIdentity | null =>
  existsSync(nextKeyFileOf(directory)) ? loadNextIdentity(directory) : null;

/** The key that was prepared for the next rotation, made now when there is none. */
export const loadNextIdentity = (directory: string): NodeIdentity => readKeyFile(nextKeyFileOf(directory));

/** The secret that opens the operator's own pages. */
export const loadOperatorToken = (directory: string): string =>
  readOrCreate(join(directory, "operator.token"), () => `${randomText(43)}\n`).trim();
