import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LoadedFile, secretsOf } from "./load-config-file.ts";
import { listURLSecrets } from "./redact.ts";

/** A file's text; empty where there is none. */
export const readIfThere = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8").trim() : "");

/** Every secret this machine knows of this node. */
export const listSecrets = (loaded: LoadedFile): readonly string[] => {
  const { dir } = loaded.config.data;
  const files = ["operator.token", "node-key.pem", "node-key.next.pem"].map((name) => readIfThere(join(dir, name)));
  // Of a key file each line alone, too.
  const lines = files.flatMap((text) => [text, ...text.split("\n")]).filter((line) => !line.startsWith("-----"));
  return [...secretsOf(loaded), ...listURLSecrets(loaded.config), ...lines];
};
