import { leavesOf } from "../../config/walk.ts";
import type { LoadedFile } from "../load-config-file.ts";

/** A key that names a file, or a variable of the environment, which holds the value. */
const NAMES_ANOTHER_PLACE = /_(?:file|env)$/;

/** Lists what the configuration takes from outside of its file, as texts for people: a backup lacks these things. */
export function listNotInIt({ config, read }: LoadedFile): string[] {
  const { providers, plugins } = config;
  const whole = { ...config, providers: providers.tables, plugins: plugins.tables };
  const variables = [...read.origins.values()].filter((origin) => origin.startsWith("env "));
  const places = [...leavesOf(read.schema, whole)].flatMap(({ path, value }) =>
    NAMES_ANOTHER_PLACE.test(String(path.at(-1))) && typeof value === "string"
      ? [`${path.join(".")} = ${JSON.stringify(value)}`]
      : [],
  );
  return [...new Set([...variables.map((origin) => `variable ${origin.slice("env ".length)}`), ...places])].sort();
}
