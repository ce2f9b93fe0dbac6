/** Parses foreign JSON; undefined when the text is not JSON, or is nested deeper than can be read. */
export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

type Key = string | number;

/** A member deep in a JSON value; undefined if it is missing. Members that every object inherits do not count. */
export function valueAt(value: unknown, ...keys: readonly Key[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

/** A text deep in a JSON value; empty if it is missing. */
export const textAt = (value: unknown, ...keys: readonly Key[]): string => {
  const found = valueAt(value, ...keys);
  return typeof found === "string" ? found : "";
};

/** A list deep in a JSON value; empty if it is missing. */
export const listAt = (value: unknown, ...keys: readonly Key[]): readonly unknown[] => {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found : [];
};

/** Names and values of an object deep in a JSON value; empty if it is missing. */
export const membersAt = (value: unknown, ...keys: readonly Key[]): readonly [string, unknown][] => {
  const found = valueAt(value, ...keys);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? Object.entries(found) : [];
};
