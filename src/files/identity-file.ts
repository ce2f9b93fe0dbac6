import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../core/errors.ts";
import { createIdentity, type NodeIdentity, readIdentity } from "../core/identity.ts";
import { randomText } from "../core/ids.ts";
import { isTokenForm } from "../core/secrets.ts";
import { readSecretFile, SecretFileError, writeSecretFile } from "./secret-file.ts";

const TOKEN_CHARS = 43;

/** The node's key and the history of those before it. */
export const keyFileOf = (directory: string): string => join(directory, "node-key.pem");
/** A key that is made already and becomes the node's at the next rotation. */
export const nextKeyFileOf = (directory: string): string => join(directory, "node-key.next.pem");

/** The node's key, made at the first start and kept in the data folder. */
export const loadIdentity = (directory: string): NodeIdentity => readKeyFile(keyFileOf(directory));

/**
 * An empty file is a lost key, too: the ledger may need it.
 * @throws SecretFileError when the file is damaged: a new key in its place would be another node.
 */
function readKeyFile(file: string): NodeIdentity {
  if (!existsSync(file)) writeSecretFile(file, createIdentity().key_file);
  try {
    return readIdentity(readFileSync(file, "utf8"));
  } catch (error) {
    const advice = "put your copy of it back, or, if this node never sold anything, delete it";
    throw new SecretFileError(`${file} does not hold a node's key: ${advice} (${messageOf(error)})`, { cause: error });
  }
}

/**
 * Tells this data folder from every other one, those of the same node's key included. Two that held nothing would be
 * one: an empty file is written anew.
 * @throws SecretFileError when the file is damaged.
 */
export function loadInstance(directory: string): string {
  const file = join(directory, "instance");
  const found = readSecretFile(file);
  if (found === null) writeSecretFile(file, `node_${randomText(16)}`);
  const instance = found ?? readSecretFile(file) ?? "";
  if (/^[\x21-\x7e]{8,100}$/.test(instance)) return instance;
  throw new SecretFileError(`${file} is damaged: delete it, and the node makes a new one`);
}

/** The node's key when it has one already. */
export const findIdentity = (directory: string): NodeIdentity | null =>
  existsSync(keyFileOf(directory)) ? loadIdentity(directory) : null;

/** The key that was prepared for the next rotation, when there is one. */
export const findNextIdentity = (directory: string): NodeIdentity | null =>
  existsSync(nextKeyFileOf(directory)) ? loadNextIdentity(directory) : null;

/** The key that was prepared for the next rotation, made now if it is missing. */
export const loadNextIdentity = (directory: string): NodeIdentity => readKeyFile(nextKeyFileOf(directory));

const tokenFileOf = (directory: string): string => join(directory, "operator.token");

/**
 * The secret that opens the operator's own pages; null before it is made.
 * @throws SecretFileError when its file holds something else, such as a part of it.
 */
export function findOperatorToken(directory: string): string | null {
  const file = tokenFileOf(directory);
  const token = readSecretFile(file);
  if (token === null || isTokenForm(token)) return token;
  const advice = "delete it and start the node anew: it makes another";
  throw new SecretFileError(`${file} holds no token (32 to 200 letters, digits and -._~+/): ${advice}`);
}

/**
 * The same, to ask a node that runs: one made now would not open it.
 * @throws SecretFileError
 */
export function requireOperatorToken(directory: string): string {
  const token = findOperatorToken(directory);
  if (token !== null) return token;
  throw new SecretFileError(`${tokenFileOf(directory)} holds no token: start the node, it makes one`);
}

/**
 * The same, made now if it is missing. Nothing is lost with an empty file, so it is written anew.
 * @throws SecretFileError
 */
export function loadOperatorToken(directory: string): string {
  if (findOperatorToken(directory) === null) writeSecretFile(tokenFileOf(directory), `${randomText(TOKEN_CHARS)}\n`);
  return requireOperatorToken(directory);
}
