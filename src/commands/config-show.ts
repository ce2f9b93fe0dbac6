import { renderExample } from "../config/example.ts";
import { explainConfig } from "../config/explain.ts";
import { collectOwnTables } from "../config/own-config.ts";
import { registry } from "../plugins/registry.gen.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

/** Prints every key with its value (secrets masked) and its origin. */
export async function configShowCommand({ config: file, json }: { config: string; json: boolean }): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const rows = explainConfig(loaded.read);
  if (json) print(JSON.stringify(rows, null, 2));
  else {
    const width = Math.max(...rows.map((row) => row.key.length));
    for (const { key, value, origin } of rows) print(`${key.padEnd(width)}  ${value.padEnd(32)}  ${origin}`);
  }
  return EXIT.ok;
}

/** Prints config.example.toml, for users who only have the binary. */
export function configExampleCommand(): number {
  process.stdout.write(renderExample(collectOwnTables(registry)));
  return EXIT.ok;
}
