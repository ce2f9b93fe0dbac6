import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf } from "../core/errors.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { renderAudit, renderJSON, summariseAudit } from "./render-audit.ts";
import { findFolders, giveTo, restoreCommand } from "./restore.ts";
import { isCopyPlace, restoreCopyCommand } from "./restore-copy.ts";
import type { WholeManifest } from "./whole/manifest.ts";
import { readPassphrase } from "./whole/passphrase.ts";
import { restoreWhole } from "./whole/restore-whole.ts";
import { isSealed } from "./whole/sealed-file.ts";

export interface RestoreChoice {
  readonly data?: string | undefined;
  readonly nodeKey?: string | undefined;
  readonly to?: string | undefined;
  readonly passphraseFile?: string | undefined;
  /** The moment to restore from a continuous copy, ISO 8601. */
  readonly at?: string | undefined;
  readonly config?: string | undefined;
  readonly json: boolean;
}

/** Restores a ledger from a file or from its continuous copy, or a whole node; the source itself shows which. */
export async function restoreChoiceCommand(file: string, options: RestoreChoice): Promise<number> {
  const { data, to, nodeKey, json, at, config } = options;
  try {
    if (isCopyPlace(file)) return await restoreCopyCommand(file, { data, at, config, json });
    if (at !== undefined) throw new Error(`${file} is one backup, of one moment: --at is for a continuous copy`);
    const is_whole = isSealed(file);
    if (is_whole && to !== undefined) return restoreFolder(file, { ...options, to });
    if (!is_whole && data !== undefined) return restoreCommand(file, { data, nodeKey, json });
    printError(
      is_whole
        ? `${file} is a whole node: say --to DIR, an empty folder for its configuration, plugins and data`
        : `${file} is a ledger: say --data DIR, an empty data folder`,
    );
    return EXIT.config;
  } catch (error) {
    printError(`nothing was restored: ${messageOf(error)}`);
    return EXIT.failed;
  }
}

function restoreFolder(file: string, { to, passphraseFile, json }: RestoreChoice & { readonly to: string }): number {
  const { existing, missing } = findFolders(to);
  const owner = statSync(existing);
  const { manifest, audit } = restoreWhole(file, readPassphrase(passphraseFile), to);
  if (json) print(renderJSON({ to, manifest, audit: summariseAudit(audit) }));
  else for (const line of renderAudit(audit)) print(line);
  if (!audit.ok) {
    printError(`nothing was restored: the books in ${file} are broken`);
    return EXIT.audit;
  }
  giveTo([...missing, to, ...readdirSync(to, { recursive: true }).map((name) => join(to, String(name)))], owner);
  if (!json) for (const line of renderNext(to, manifest)) print(line);
  return EXIT.ok;
}

function renderNext(to: string, { node_id, secrets, made_at, not_in_it }: WholeManifest): readonly string[] {
  const plugins = resolve(to, "plugins");
  const has_plugins = existsSync(plugins);
  return [
    `restored into ${to} as it was at ${made_at}${node_id === null ? "" : `: ${node_id}`}`,
    ...(secrets
      ? []
      : ['Secrets are not in it: put node-key.pem into its data folder, and yours for each "***" of node.toml.']),
    ...not_in_it.map((what) => `needed, and not in it: ${what}`),
    'Sales after that moment are not in its books: "intel-node books compare" names them.',
    "Where node.toml names other folders for [data] and [plugins], move these there, or name them when you start it:",
    `  INTEL_NODE_DATA_DIR=${resolve(to, "data")}${has_plugins ? ` INTEL_NODE_PLUGINS_DIR=${plugins}` : ""} \\`,
    `  intel-node run --config ${resolve(to, "node.toml")}`,
  ];
}
