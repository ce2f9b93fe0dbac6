import { messageOf } from "../core/errors.ts";
import { loadInstance } from "../files/identity-file.ts";
import { findAddress } from "../files/ledger-place.ts";
import { moveToFile, moveToPostgres } from "../ledger/postgres/move.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";
import { renderJSON, summariseAudit } from "./render-audit.ts";

export interface MoveOptions {
  /** The address of a database, or "file". */
  readonly to: string;
  readonly config: string;
  readonly json: boolean;
}

/** Moves the books of a stopped node into a database, or back into its data folder. */
export async function ledgerMoveCommand({ to, config, json }: MoveOptions): Promise<number> {
  const loaded = await loadConfigFile(config);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { data, ledger } = loaded.config;
  const directory = data.dir;
  const into_file = to === "file";
  try {
    const address = findAddress(into_file ? ledger : { ...ledger, url: to });
    if (address === null) {
      printError("[ledger] url does not say which database the books are in");
      return EXIT.config;
    }
    const { tables, audit } = into_file
      ? await moveToFile({ directory, address })
      : await moveToPostgres({ directory, address, owner: loadInstance(directory) });
    if (json) print(renderJSON({ tables, audit: summariseAudit(audit) }));
    else {
      for (const { table, rows, sha256 } of tables) print(`${table.padEnd(16)} ${rows} rows, sha256 ${sha256}`);
      const next = describeNext(ledger.url, into_file ? undefined : to);
      print(`every row reads the same in both, every rule of the audit holds: ${next}`);
    }
    return EXIT.ok;
  } catch (error) {
    printError(`nothing was moved: ${messageOf(error)}`);
    return EXIT.failed;
  }
}

/** The remaining steps, given the configuration. @param wanted undefined: the file in the data folder. */
export function describeNext(configured: string | undefined, wanted: string | undefined): string {
  if (configured === wanted) return "the configuration names this place already, start the node";
  return `${wanted === undefined ? "leave out [ledger] url" : `set [ledger] url = "${wanted}"`}, and start the node`;
}
