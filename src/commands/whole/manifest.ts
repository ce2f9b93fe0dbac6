import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** The first file in a backup of a whole node: it lists what the backup has and what it lacks. */
export const MANIFEST_NAME = "backup.json";
export const CONFIG_NAME = "node.toml";
export const PLUGINS_FOLDER = "plugins";
export const DATA_FOLDER = "data";
export const LEDGER_NAME = `${DATA_FOLDER}/ledger.db`;
export const KEPT_NAME = `${DATA_FOLDER}/kept.db`;
/** Files of the data folder that cannot be made again and have no secrets. */
export const PLAIN_DATA_FILES = ["switches.json"] as const;
/** Secret files of the data folder: anyone who has them can act as the node or its operator. */
export const SECRET_DATA_FILES = ["node-key.pem", "node-key.next.pem", "operator.token"] as const;

const FORM = 1;

const Manifest = Type.Object({
  form: Type.Literal(FORM),
  /** Version of the program that made the backup. */
  version: Type.String(),
  made_at: Type.String(),
  /** Id of the node; null if the data folder had no key. */
  node_id: Type.Union([Type.String(), Type.Null()]),
  /** Whether the node's keys, its token and the secrets of the configuration are in it. */
  secrets: Type.Boolean(),
  /** Digest of the books, hex. */
  ledger_sha256: Type.String(),
  /** Things that the configuration needs and the backup lacks: variables of the environment, files elsewhere. */
  not_in_it: Type.Array(Type.String()),
});
export type WholeManifest = typeof Manifest.static;

export const renderManifest = (facts: Omit<WholeManifest, "form">): string =>
  `${JSON.stringify({ form: FORM, ...facts }, null, 2)}\n`;

/** @throws Error when the text is not a manifest that this program knows. */
export function parseManifest(text: string): WholeManifest {
  const parsed: unknown = JSON.parse(text);
  if (!Value.Check(Manifest, parsed)) throw new Error(`${MANIFEST_NAME} is of another form: use a newer intel-node`);
  return parsed;
}

/** Whether a name may be in a backup; any other name in a stranger's archive is never written. */
export function isWholeName(name: string): boolean {
  if (name === MANIFEST_NAME || name === CONFIG_NAME || name === LEDGER_NAME || name === KEPT_NAME) return true;
  const parts = name.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0]/.test(part))) return false;
  if (parts[0] === PLUGINS_FOLDER) return parts.length > 1;
  const known: readonly string[] = [...PLAIN_DATA_FILES, ...SECRET_DATA_FILES];
  return parts.length === 2 && parts[0] === DATA_FOLDER && known.includes(parts[1] ?? "");
}
