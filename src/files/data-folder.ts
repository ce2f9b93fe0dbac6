import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../core/errors.ts";
import { findIdentity, keyFileOf } from "./identity-file.ts";

/** A data folder that this node must not be started on; the message says what to do. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

export interface DataFolderFacts {
  /** There is no ledger yet: one is made now. */
  readonly new_ledger: boolean;
  /** There is no key yet: the node starts as one that nobody knows. */
  readonly new_identity: boolean;
}

/**
 * Makes the folder, keeps others of this machine out of it and its files, and says what is missing in it.
 * @throws DataFolderError when it belongs to somebody else.
 */
export function prepareDataFolder(folder: string): DataFolderFacts {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeToOthers(folder);
  } catch (error) {
    const advice = `give it to the user that runs the node ("chown -R USER ${folder}"), or name another [data] dir`;
    throw new DataFolderError(`${folder} cannot be used by this user: ${advice} (${messageOf(error)})`, {
      cause: error,
    });
  }
  return { new_ledger: !existsSync(join(folder, "ledger.db")), new_identity: !existsSync(keyFileOf(folder)) };
}

/** Ledgers of earlier versions were readable by everybody. */
function closeToOthers(folder: string): void {
  if (process.platform === "win32") return;
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const facts = statSync(file, { throwIfNoEntry: false });
    if (facts?.isFile() && (facts.mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
}

/**
 * Keeps a node from starting as another than its configuration says: in a wrong folder, or without its key.
 * @param node_id of the configuration; undefined asks for nothing.
 * @throws DataFolderError
 */
export function assertNodeId(folder: string, node_id: string | undefined): void {
  if (node_id === undefined) return;
  const identity = findIdentity(folder);
  const advice = `look at [data] dir, or put the node's key there ("intel-node restore --node-key")`;
  if (identity === null) {
    throw new DataFolderError(`[node] node_id is ${node_id}, but ${keyFileOf(folder)} is not there: ${advice}`);
  }
  const known = [identity.node_id, ...identity.retired.map((key) => key.node_id)];
  if (known.includes(node_id)) return;
  throw new DataFolderError(`[node] node_id is ${node_id}, but the key in ${folder} is of ${known[0]}: ${advice}`);
}
