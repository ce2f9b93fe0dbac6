import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { isBlank } from "../core/secrets.ts";
import { MOVED, type PostgresAddress, readAddress } from "../ledger/postgres/address.ts";
import { LedgerOpenError } from "../ledger/sqlite/migrate.ts";

/** Where the books are: a file of the data folder, or a database. */
export type LedgerPlace =
  | { readonly file: string; readonly address: null }
  | { readonly file: null; readonly address: PostgresAddress };

/** Environment names of the configuration's keys, for commands that are given no configuration. */
const ENVIRONMENT = {
  url: "INTEL_NODE_LEDGER_URL",
  password: "INTEL_NODE_LEDGER_PASSWORD",
  password_file: "INTEL_NODE_LEDGER_PASSWORD_FILE",
  ca_file: "INTEL_NODE_LEDGER_CA_FILE",
} as const;

export type LedgerConfig = Omit<Config["ledger"], "lease">;

/** The database the configuration names, or null. @throws LedgerOpenError when it, or its password, cannot be read. */
export function findAddress({ url, password, password_file, ca_file }: LedgerConfig): PostgresAddress | null {
  if (url === undefined) return null;
  if (password !== undefined && isBlank(password)) {
    throw new LedgerOpenError(
      "[ledger] password is empty: set it, or leave it out (environment: INTEL_NODE_LEDGER_PASSWORD)",
    );
  }
  return readAddress({ url, password: password ?? readPassword(password_file), ca_file });
}

function readPassword(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new LedgerOpenError(`[ledger] password_file cannot be read: ${messageOf(error)}`, { cause: error });
  }
  // A password may begin and end with a blank: of what stands around it only the mark of an editor is taken off.
  const [line = ""] = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (isBlank(line) || line.includes("\0")) {
    throw new LedgerOpenError(`[ledger] password_file ${file} holds no password in its first line: write it anew`);
  }
  return line;
}

/** What the environment says of the ledger. */
export function readLedgerEnvironment(environment: Readonly<Record<string, string | undefined>>): LedgerConfig {
  const found = Object.entries(ENVIRONMENT).map(([key, name]) => [key, environment[name]]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** The same as the environment of a process that is to work on the same books. */
export function renderLedgerEnvironment(ledger: LedgerConfig): Readonly<Record<string, string>> {
  const set = Object.entries(ENVIRONMENT).map(([key, name]) => [name, ledger[key as keyof LedgerConfig]]);
  return Object.fromEntries(set.filter(([, value]) => value !== undefined));
}

/**
 * Where a node of this folder finds its books. Books that were moved are never begun anew in their old place.
 * @throws LedgerOpenError
 */
export function findLedgerPlace(ledger: LedgerConfig, directory: string): LedgerPlace {
  const file = join(directory, "ledger.db");
  const address = findAddress(ledger);
  if (address !== null && existsSync(file)) {
    throw new LedgerOpenError(
      `[ledger] url is set, and ${file} is there too: leave the url out, or move the ledger there ` +
        `("intel-node ledger move --to ${ledger.url}").`,
    );
  }
  if (address === null && !existsSync(file) && existsSync(join(directory, MOVED))) {
    throw new LedgerOpenError(
      `The books of ${directory} were moved to PostgreSQL: set [ledger] url, or move them back ` +
        '("intel-node ledger move --to file").',
    );
  }
  return address === null ? { file, address } : { file: null, address };
}
