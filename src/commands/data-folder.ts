import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../core/errors.ts";
import { type CopyKeys, readCopyEnvironment } from "../files/copy-order.ts";
import { findAddress, type LedgerPlace, readLedgerEnvironment } from "../files/ledger-place.ts";
import { loadConfigFile } from "./load-config-file.ts";

export interface DataFolderOptions {
  /** Overrides the configuration. */
  readonly data: string | undefined;
  readonly config: string;
}

/** The ledger of a command with its folder, or the reason why it cannot be found. */
export async function findLedger({
  data,
  config,
}: DataFolderOptions): Promise<(LedgerPlace & { readonly directory: string }) | { readonly faults: string }> {
  let directory = data;
  let ledger = readLedgerEnvironment(process.env);
  if (directory === undefined) {
    const loaded = await loadConfigFile(config);
    if ("faults" in loaded) return loaded;
    directory = loaded.config.data.dir;
    ledger = loaded.config.ledger;
  }
  const file = join(directory, "ledger.db");
  if (existsSync(file)) return { directory, file, address: null };
  try {
    const address = findAddress(ledger);
    return address === null ? { faults: `${file} does not exist` } : { directory, file: null, address };
  } catch (error) {
    return { faults: messageOf(error) };
  }
}

/** Access to the store of a continuous copy: from the configuration, else from the environment. */
export async function findCopyKeys(config: string | undefined): Promise<CopyKeys | { readonly faults: string }> {
  if (config === undefined) return readCopyEnvironment(process.env);
  const loaded = await loadConfigFile(config);
  return "faults" in loaded ? { faults: loaded.faults } : loaded.config.copy;
}
