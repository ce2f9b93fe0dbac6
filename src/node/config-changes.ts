import type { Config } from "../config/schema.ts";
import { networkById } from "../payments/networks/table.ts";

/** Tables, and keys of tables, whose values may change while the node runs. */
const RELOADED = [
  "prices",
  "products",
  "metering",
  "aliases",
  "plans",
  "basket",
  "limits",
  "alerts",
  "providers",
  "chains",
  "plugins",
  "preview",
  "models",
  "llm",
] as const;
const RELOADED_KEYS: readonly string[] = ["log.level"];

/** The present configuration with what may change while the node runs taken from the next one. */
export const mergeConfig = (present: Config, next: Config): Config => ({
  ...present,
  ...Object.fromEntries(RELOADED.map((name) => [name, next[name]])),
  log: { ...present.log, level: next.log.level },
});

/**
 * Whether a changed key waits for the next start. An embedded facilitator goes on with the endpoints it was started
 * with.
 */
export function needsRestart(key: string, { facilitators }: Pick<Config, "facilitators">): boolean {
  if (RELOADED_KEYS.includes(key)) return false;
  const [table, chain] = key.split(".");
  if (table !== "chains") return !RELOADED.some((name) => name === table);
  const embedded = facilitators.filter(({ kind }) => kind === "embedded").flatMap(({ networks = [] }) => networks);
  return embedded.some((id) => networkById(id)?.chain === chain);
}

/** Keys that differ, as they are written in a file; secrets are named, never shown. */
export function listChanges(present: Config, next: Config): readonly string[] {
  const [before, after] = [flatten(present), flatten(next)];
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key)).sort();
}

function flatten(config: Config): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name]);
      return;
    }
    // `tables` is this program's own word for what is beside the other keys.
    if (value !== undefined) found.set(path.filter((name) => name !== "tables").join("."), JSON.stringify(value));
  };
  visit(config, []);
  return found;
}
