import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadConfigFile } from "./load-config-file.ts";

export interface DataFolderOptions {
  /** Wins over the configuration. */
  readonly data: string | undefined;
  readonly config: string;
}

/** The ledger a command is about, or what keeps it from being found. */
export async function findLedgerFile({
  data,
  config,
}: DataFolderOptions): Promise<{ readonly file: string } | { readonly faults: string }> {
  let directory = data;
  if (directory === undefined) {
    const loaded = await loadConfigFile(config);
    if ("faults" in loaded) return loaded;
    directory = loaded.config.data.dir;
  }
  const file = join(directory, "ledger.db");
  return existsSync(file) ? { file } : { faults: `${file} does not exist` };
}
