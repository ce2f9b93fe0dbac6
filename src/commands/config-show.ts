import { readFileSync } from "node:fs";
import { renderExample } from "../config/example.ts";
import { explainConfig } from "../config/explain.ts";
import { loadConfig, renderFaults } from "../config/load.ts";
import { messageOf } from "../core/errors.ts";
import { EXIT } from "./exit-codes.ts";

/** Prints every key with its value (secrets masked) and where it comes from. */
export async function configShowCommand({ config: file, json }: { config: string; json: boolean }): Promise<number> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    console.error(`${file} cannot be read: ${messageOf(error)}`);
    return EXIT.config;
  }
  const loaded = loadConfig({ text, file, env: process.env });
  if (!loaded.ok) {
    console.error(renderFaults(loaded.faults));
    return EXIT.config;
  }
  const rows = explainConfig(loaded);
  if (json) console.log(JSON.stringify(rows, null, 2));
  else {
    const width = Math.max(...rows.map((row) => row.key.length));
    for (const { key, value, origin } of rows) console.log(`${key.padEnd(width)}  ${value.padEnd(32)}  ${origin}`);
  }
  return EXIT.ok;
}

/** Prints config.example.toml, for whoever has nothing but the binary. */
export function configExampleCommand(): number {
  process.stdout.write(renderExample());
  return EXIT.ok;
}
