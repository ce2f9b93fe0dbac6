import type { TSchema } from "@sinclair/typebox";
import { closest } from "../core/closest.ts";
import { childSchema, describeExpected, leavesOf, type Path } from "./walk.ts";

const ENV_PREFIX = "INTEL_NODE_";

export interface EnvFault {
  readonly name: string;
  readonly message: string;
  readonly nearest?: string | undefined;
}

export interface EnvSetting {
  readonly name: string;
  readonly path: Path;
  readonly value: unknown;
}

/** The environment name of a key: ["server", "port"] -> INTEL_NODE_SERVER_PORT. */
export const envName = (path: Path): string =>
  ENV_PREFIX +
  path
    .map((part) =>
      String(part)
        .replace(/^\//, "")
        .replace(/[^A-Za-z0-9]+/g, "_")
        .toUpperCase(),
    )
    .join("_");

/** Reads every INTEL_NODE_ variable as a setting; one that means nothing is a fault, never ignored. */
export function readEnv(
  schema: TSchema,
  env: Readonly<Record<string, string | undefined>>,
): { settings: readonly EnvSetting[]; faults: readonly EnvFault[] } {
  const settings: EnvSetting[] = [];
  const faults: EnvFault[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(ENV_PREFIX) || text === undefined) continue;
    const found = findKey(schema, name.slice(ENV_PREFIX.length).split("_"), []);
    if (!found) {
      const known = [...leavesOf(schema, undefined)].map((leaf) => envName(leaf.path));
      faults.push({ name, message: `${name} names no key`, nearest: closest(name, known) });
      continue;
    }
    const value = readText(found.schema, text);
    if (value === undefined) faults.push({ name, message: `${name} must be ${describeExpected(found.schema)}` });
    else settings.push({ name, path: found.path, value });
  }
  return { settings, faults };
}

interface Found {
  readonly path: Path;
  readonly schema: TSchema;
}

/** Splits an environment name into keys: several words may form one key, so every split is tried, longest first. */
function findKey(schema: TSchema, words: readonly string[], path: Path): Found | null {
  if (words.length === 0) return schema.type === "object" && schema.properties ? null : { path, schema };
  if (schema.type === "array") {
    const index = Number(words[0]);
    const items = schema.items as TSchema;
    const usable = /^\d{1,2}$/.test(words[0] ?? "") && items.type === "object";
    return usable ? findKey(items, words.slice(1), [...path, index]) : null;
  }
  if (schema.type !== "object") return null;
  for (let count = words.length; count > 0; count--) {
    const taken = words.slice(0, count);
    const rest = words.slice(count);
    const kebab = taken.join("-").toLowerCase();
    for (const name of [taken.join("_").toLowerCase(), kebab, `/${kebab}`]) {
      const child = childSchema(schema, name);
      const found = child ? findKey(child, rest, [...path, name]) : null;
      if (found) return found;
    }
  }
  return null;
}

function readText(schema: TSchema, text: string): unknown {
  if (schema.type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (schema.type === "integer" || schema.type === "number") {
    return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
  }
  if (schema.type === "array" || schema.type === "object") {
    if (!/^\s*[[{]/.test(text)) return schema.type === "array" ? text.split(",").map((part) => part.trim()) : undefined;
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  return text;
}
