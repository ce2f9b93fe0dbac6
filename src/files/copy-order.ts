import { readFileSync } from "node:fs";
import { S3_FORM } from "../config/copy-rules.ts";
import type { Config } from "../config/schema.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { readSecret } from "../core/secrets.ts";
import type { CopyOrder, CopyPlace } from "../ledger/copy/copy-state.ts";
import { LedgerOpenError } from "../ledger/sqlite/migrate.ts";

type CopyConfig = Config["copy"];
export type CopyKeys = Pick<
  CopyConfig,
  "endpoint" | "region" | "access_key_id" | "secret_access_key" | "secret_access_key_file"
>;

/**
 * Where the ledger is copied to as it is written; null where it is not.
 * @throws LedgerOpenError when the store's key cannot be read.
 */
export function findCopyOrder(copy: CopyConfig, identity: NodeIdentity | null): CopyOrder | null {
  if (copy.to === undefined) return null;
  return {
    // The id of its first key: it stays when keys are rotated. A folder that has no key yet has sold nothing.
    owner: identity?.retired.at(-1)?.node_id ?? identity?.node_id ?? "",
    place: readCopyPlace(copy.to, copy),
    every_ms: parseDuration(copy.every),
    keep_ms: parseDuration(copy.keep),
  };
}

/** Why the books are not copied as the configuration says; null where they are, or need not be. */
export const whyNotCopied = ({ copy, ledger }: Pick<Config, "copy" | "ledger">): string | null =>
  copy.to === undefined || ledger.url === undefined
    ? null
    : "[copy] is for a ledger in a file, and the books are in PostgreSQL: copy them with its own tools (WAL " +
      "archiving with pgBackRest or WAL-G, or your host's point-in-time recovery), and leave [copy] to out";

/** @throws LedgerOpenError when the words name no store, or its key cannot be read. */
export function readCopyPlace(to: string, keys: CopyKeys): CopyPlace {
  if (!to.startsWith("s3:")) return { kind: "folder", folder: to };
  const [, bucket = "", prefix = ""] = S3_FORM.exec(to) ?? [];
  if (bucket === "")
    throw new LedgerOpenError(`"${to}" names no bucket and prefix, such as "s3://my-bucket/intel-node"`);
  const { endpoint, region, access_key_id = "" } = keys;
  const secret_access_key = readKey(keys);
  if (access_key_id === "" || secret_access_key === null) {
    throw new LedgerOpenError(
      "the store's key is missing: set [copy] access_key_id and secret_access_key, or " +
        "INTEL_NODE_COPY_ACCESS_KEY_ID and INTEL_NODE_COPY_SECRET_ACCESS_KEY",
    );
  }
  return {
    kind: "s3",
    bucket,
    prefix: prefix.slice(1),
    access_key_id,
    secret_access_key,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  };
}

function readKey({ secret_access_key, secret_access_key_file: file }: CopyKeys): string | null {
  if (secret_access_key !== undefined || file === undefined) return readSecret(secret_access_key);
  try {
    return readSecret(readFileSync(file, "utf8"));
  } catch (error) {
    throw new LedgerOpenError(`[copy] secret_access_key_file cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

const ENVIRONMENT = {
  endpoint: "INTEL_NODE_COPY_ENDPOINT",
  region: "INTEL_NODE_COPY_REGION",
  access_key_id: "INTEL_NODE_COPY_ACCESS_KEY_ID",
  secret_access_key: "INTEL_NODE_COPY_SECRET_ACCESS_KEY",
  secret_access_key_file: "INTEL_NODE_COPY_SECRET_ACCESS_KEY_FILE",
} as const;

/** What the environment says of the store, for a restore on a machine without the configuration. */
export function readCopyEnvironment(environment: Readonly<Record<string, string | undefined>>): CopyKeys {
  const found = Object.entries(ENVIRONMENT).map(([key, name]) => [key, environment[name]]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}
