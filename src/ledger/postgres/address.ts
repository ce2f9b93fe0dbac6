import { readFileSync } from "node:fs";
import { messageOf } from "../../core/errors.ts";
import { isBlank } from "../../core/secrets.ts";
import { LedgerOpenError } from "../sqlite/migrate.ts";

/** The name of a ledger file once its books are in a database: no node may start as if the folder had no books. */
export const MOVED = "ledger.db.moved";

/** Where the books are, and how to get there. */
export interface PostgresAddress {
  readonly hostname: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string | undefined;
  /** Null only for a loopback address: what goes over a network is encrypted, and the server's certificate checked. */
  readonly tls: { readonly ca: string | undefined } | null;
  /** Folder of tables inside the database. */
  readonly schema: string;
}

export interface PostgresAddressOptions {
  readonly url: string;
  readonly password?: string | undefined;
  /** Certificate authority of the server, PEM; left out: the system's own. */
  readonly ca_file?: string | undefined;
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);
const NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Reads "postgres://user@host:port/database", to which "?schema=name" may be added.
 * @throws LedgerOpenError for any other address, or one with a password: that belongs in a file or the environment.
 */
export function readAddress({ url, password, ca_file }: PostgresAddressOptions): PostgresAddress {
  const wrong = (why: string) => new LedgerOpenError(`[ledger] url ${why}`);
  if (!URL.canParse(url)) throw wrong("is not an address: postgres://user@host:port/database");
  const parsed = new URL(url);
  if (!/^postgres(?:ql)?:$/.test(parsed.protocol)) throw wrong("must begin with postgres://");
  if (parsed.password !== "") throw wrong("must not hold the password: use [ledger] password_file or the environment");
  const database = decodeURIComponent(parsed.pathname.slice(1));
  if (database === "" || parsed.username === "") throw wrong("must name a user and a database");
  for (const name of parsed.searchParams.keys()) {
    if (name !== "schema") throw wrong(`has a parameter that is not known here: ${name}`);
  }
  const schema = parsed.searchParams.get("schema") ?? "public";
  if (!NAME.test(schema)) throw wrong("names a schema that is not lower-case letters, digits and _");
  const is_loopback = LOOPBACK.has(parsed.hostname);
  return {
    hostname: parsed.hostname.replace(/^\[|\]$/g, ""),
    port: parsed.port === "" ? 5432 : Number(parsed.port),
    database,
    username: decodeURIComponent(parsed.username),
    password,
    tls: is_loopback && ca_file === undefined ? null : { ca: ca_file === undefined ? undefined : readCA(ca_file) },
    schema,
  };
}

function readCA(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new LedgerOpenError(`[ledger] ca_file cannot be read: ${messageOf(error)}`, { cause: error });
  }
  if (isBlank(text)) throw new LedgerOpenError(`[ledger] ca_file ${file} is empty`);
  return text;
}

/** The address for a log line: no password. */
export const renderAddress = ({ username, hostname, port, database, schema }: PostgresAddress): string =>
  `postgres://${username}@${hostname}:${port}/${database}${schema === "public" ? "" : `?schema=${schema}`}`;
