import { messageOf } from "../core/errors.ts";
import { backupCommand } from "./backup.ts";
import { type DataFolderOptions, findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";
import { renderAudit, renderJSON, summariseAudit } from "./render-audit.ts";
import { assertHardToGuess, readPassphrase } from "./whole/passphrase.ts";
import { type WholeBackup, writeWhole } from "./whole/write-whole.ts";

export interface BackupChoice extends DataFolderOptions {
  /** File or folder for a backup of the ledger. */
  readonly to?: string | undefined;
  /** File for a backup of the whole node. */
  readonly whole?: string | undefined;
  readonly passphraseFile?: string | undefined;
  readonly withoutSecrets: boolean;
  readonly json: boolean;
}

/** Makes a backup of the ledger, or of the whole node. */
export async function backupChoiceCommand(options: BackupChoice): Promise<number> {
  const { to, whole, data, config, json } = options;
  if ((to === undefined) === (whole === undefined)) {
    printError("say one of --to PATH (the ledger) and --whole FILE (the whole node)");
    return EXIT.config;
  }
  if (to !== undefined) return backupCommand({ to, data, config, json });
  return backupWhole({ ...options, whole: whole ?? "" });
}

async function backupWhole(options: BackupChoice & { readonly whole: string }): Promise<number> {
  const { whole: to, config: config_file, passphraseFile, withoutSecrets, json } = options;
  const loaded = await loadConfigFile(config_file);
  const place = "faults" in loaded ? loaded : await findLedger(options);
  if ("faults" in loaded || "faults" in place) {
    printError("faults" in place ? place.faults : "");
    return EXIT.config;
  }
  try {
    const passphrase = readPassphrase(passphraseFile);
    assertHardToGuess(passphrase);
    const secrets = !withoutSecrets;
    const made = await writeWhole({ loaded, config_file, place, to, passphrase, secrets, now_ms: Date.now() });
    if (json) print(renderJSON({ ...made, audit: summariseAudit(made.audit) }));
    else for (const line of renderWhole(made)) print(line);
    if (made.file !== null) return EXIT.ok;
    printError("no backup was made: the books are broken");
    return EXIT.audit;
  } catch (error) {
    printError(`no backup was made: ${messageOf(error)}`);
    return EXIT.failed;
  }
}

function renderWhole({ file, bytes, manifest, left_out, audit }: WholeBackup): readonly string[] {
  if (file === null || manifest === null) return renderAudit(audit);
  const { secrets, node_id, not_in_it } = manifest;
  return [
    file,
    `${bytes} bytes, on disk, sealed: configuration, plugins, ${secrets ? "keys and token, " : ""}books, kept data`,
    secrets
      ? `Whoever has it and the passphrase is ${node_id ?? "this node"}. Nobody opens it without the passphrase.`
      : "No key, token or password is in it: keep node-key.pem and your secrets elsewhere.",
    ...not_in_it.map((what) => `not in it: ${what}`),
    ...left_out.map((path) => `left out, no plain file: ${path}`),
    ...renderAudit(audit),
  ];
}
