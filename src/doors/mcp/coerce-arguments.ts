import type { TObject, TSchema } from "@sinclair/typebox";
import { readSent, readSwitch } from "../../catalog/sent-values.ts";

export interface Arguments {
  /** Free, delayed data is wanted. */
  readonly preview: boolean;
  /** What is left for the product, ready to be checked. */
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * Reads the arguments of a tool call by the rule of every door; null means "not given".
 * @throws NodeError invalid_parameter for a `preview` that is neither yes nor no.
 */
export function readArguments(given: Readonly<Record<string, unknown>>, schema: TObject): Arguments {
  const entries = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (name === "preview" || value === null) return [];
    const property: TSchema | undefined = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    return [[name, property ? readSent(value, property) : value]];
  });
  return { preview: readSwitch("preview", given.preview), given: Object.fromEntries(entries) };
}
