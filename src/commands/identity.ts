import { existsSync, rmSync } from "node:fs";
import { systemClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { createIdentity, type NodeIdentity, rotateIdentity } from "../core/identity.ts";
import { findIdentity, findNextIdentity, keyFileOf, loadNextIdentity, nextKeyFileOf } from "../files/identity-file.ts";
import { writeSecretFile } from "../files/secret-file.ts";
import { isHeldByNode, lockDataDirectory } from "../ledger/sqlite/open.ts";
import { listSignedFor, type SignedFor } from "../node/compose-ownership.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

export interface IdentityOptions {
  readonly data: string | undefined;
  readonly config: string;
  readonly json: boolean;
}

/** The wallets whose signed statement names a key; null without a configuration that has the statements. */
async function findSigned(options: IdentityOptions, key: NodeIdentity): Promise<readonly SignedFor[] | null> {
  const loaded = options.data === undefined ? await loadConfigFile(options.config) : null;
  return loaded === null || "faults" in loaded ? null : listSignedFor(loaded.config, key, systemClock.now());
}

/** The remaining tasks of the wallets, as far as known. */
function renderSigned(wallets: readonly SignedFor[] | null, command: string): string {
  if (wallets === null) return `Let the wallets sign what "${command}" prints, unless they did already.`;
  if (wallets.length === 0) return "No wallet is configured that would have to sign for it.";
  const open = wallets.filter(({ is_signed }) => !is_signed).map(({ network }) => network);
  if (open.length === 0) return "Every wallet has signed for it.";
  return `Let ${open.length === 1 ? "the wallet" : "the wallets"} on ${open.join(", ")} sign what "${command}" prints.`;
}

/** The folder of the node's key: the named or the configured one. */
async function findFolder({ data, config }: IdentityOptions): Promise<string | { readonly faults: string }> {
  const loaded = data === undefined ? await loadConfigFile(config) : null;
  if (loaded !== null && "faults" in loaded) return loaded;
  const folder = data ?? loaded?.config.data.dir ?? "";
  return existsSync(keyFileOf(folder))
    ? folder
    : { faults: `${keyFileOf(folder)} does not exist: start the node once` };
}

const renderPublic = ({ key_name, node_id, public_key }: NodeIdentity) => ({
  key_name,
  node_id,
  public_key: `ed25519:${public_key}`,
});

const renderAll = (identity: NodeIdentity, next: NodeIdentity | null) => ({
  ...renderPublic(identity),
  retired: identity.retired.map(({ public_key, ...key }) => ({ ...key, public_key: `ed25519:${public_key}` })),
  next: next === null ? null : { node_id: next.node_id, public_key: `ed25519:${next.public_key}` },
});

function printIdentities(shown: ReturnType<typeof renderAll>, json: boolean): void {
  if (json) {
    print(JSON.stringify(shown));
    return;
  }
  print(`${shown.key_name}  ${shown.node_id}  ${shown.public_key}`);
  for (const { key_name, node_id, public_key, retired_at, compromised } of shown.retired.map(
    ({ name: key_name, ...rest }) => ({ key_name, ...rest }),
  )) {
    print(`${key_name}  ${node_id}  ${public_key}  retired ${retired_at}${compromised ? ", compromised" : ""}`);
  }
  if (shown.next) print(`next    ${shown.next.node_id}  ${shown.next.public_key}`);
}

/** Shows the node's keys. With `prepare`, makes the next key, so that wallets can sign for it before the rotation. */
export async function identityCommand(command: "show" | "prepare", options: IdentityOptions): Promise<number> {
  const folder = await findFolder(options);
  const identity = typeof folder === "string" ? findIdentity(folder) : null;
  if (typeof folder !== "string" || identity === null) {
    printError(typeof folder === "string" ? `${folder} holds no key` : folder.faults);
    return EXIT.config;
  }
  const next = command === "prepare" ? loadNextIdentity(folder) : findNextIdentity(folder);
  printIdentities(renderAll(identity, next), options.json);
  if (command === "prepare" && next !== null && !options.json) {
    const signed = await findSigned(options, next);
    print(`${renderSigned(signed, "intel-node wallet proof --next")} Then stop the node and rotate.`);
  }
  return EXIT.ok;
}

export interface RotateOptions extends IdentityOptions {
  /** Set when the current key may be stolen, and with it the prepared key in the same folder. */
  readonly compromised: boolean;
}

/** Gives the node its next key. The node must not run, because it would continue to sign with the old key. */
export async function rotateCommand(options: RotateOptions): Promise<number> {
  const folder = await findFolder(options);
  if (typeof folder !== "string") {
    printError(folder.faults);
    return EXIT.config;
  }
  let unlock: () => void;
  try {
    unlock = lockDataDirectory(folder);
  } catch (error) {
    const advice = isHeldByNode(error) ? "\nStop the node first: it would go on signing with the key it has." : "";
    printError(`${messageOf(error)}${advice}`);
    return EXIT.failed;
  }
  try {
    const rotated = rotateKey(folder, options.compromised);
    printIdentities(renderAll(rotated, null), options.json);
    if (!options.json) {
      const signed = await findSigned(options, rotated);
      print(`Copy ${keyFileOf(folder)} to where you keep it: copies of before hold another key.`);
      print(`${renderSigned(signed, "intel-node wallet proof")} Then start the node.`);
    }
    return EXIT.ok;
  } finally {
    unlock();
  }
}

/**
 * Replaces the key file in one step: it holds either the old key, or the next key with the public part of the old one.
 * The file of the prepared key is removed afterwards. A crash in between leaves that file, but a later rotation does
 * not take the same key again.
 */
function rotateKey(folder: string, compromised: boolean): NodeIdentity {
  const old = findIdentity(folder);
  if (old === null) throw new Error(`${folder} holds no key`);
  const prepared = compromised ? null : findNextIdentity(folder);
  const next = prepared === null || prepared.public_key === old.public_key ? createIdentity() : prepared;
  const rotated = rotateIdentity(old, next, { now_ms: systemClock.now(), compromised });
  writeSecretFile(keyFileOf(folder), rotated.key_file);
  rmSync(nextKeyFileOf(folder), { force: true });
  return rotated;
}
