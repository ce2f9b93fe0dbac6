import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { readSecret, readSecretVariable } from "../core/secrets.ts";

/** Anything longer is no key. */
const KEY_BYTES_MAX = 4_096;
const OTHERS = 0o077;

type FacilitatorEntry = Config["facilitators"][number];

/**
 * The secret key of an embedded facilitator's gas account, from where the operator keeps it.
 * @throws Error when it is not there, or in a file that others may read. Its text never holds what was read.
 */
export function readGasKey({ gas_key_env, gas_key_file }: FacilitatorEntry, env = process.env): string {
  const key = gas_key_env === undefined ? readKeyFile(gas_key_file ?? "") : readSecretVariable(gas_key_env, env);
  if (key === null) throw new Error(gas_key_env ? `gas_key_env: ${gas_key_env} is not set` : "gas_key_file is empty");
  return key;
}

function readKeyFile(path: string): string | null {
  const file = resolve(path);
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    throw new Error(`gas_key_file cannot be read: ${messageOf(error)}`);
  }
  try {
    const { mode, size } = fstatSync(descriptor);
    // Windows has no such modes.
    if (process.platform !== "win32" && (mode & OTHERS) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(4, "0");
      throw new Error(`gas_key_file ${file} has mode ${octal}, so others may read it: chmod 600 it`);
    }
    if (size > KEY_BYTES_MAX) throw new Error(`gas_key_file ${file} is too long to be a key`);
    return readSecret(readFileSync(descriptor, "utf8"));
  } finally {
    closeSync(descriptor);
  }
}

/** Every key of a facilitator that is not in the configuration itself, for the log's scrubber, in each likely form. */
export const facilitatorKeysOf = (config: Config): readonly string[] =>
  config.facilitators.flatMap((entry) => {
    if (entry.auth !== undefined) return readSecretVariable("CDP_API_KEY_SECRET") ?? [];
    if (entry.kind !== "embedded") return [];
    try {
      const key = readGasKey(entry);
      return [key, key.replace(/^0x/, "")];
    } catch {
      // Said when the facilitator is made.
      return [];
    }
  });
