/** JSON that somebody else wrote; undefined when the text is none, or is nested deeper than can be read. */
export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

type Key = string | number;

/** A member deep in a JSON value; undefined where there is none. What every object inherits is no member. */
export function valueAt(value: unknown, ...keys: readonly Key[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}

/** A text deep in a JSON value; empty where there is none. */
export const textAt = (value: unknown, ...keys: readonly Key[]): string => {
  const found = valueAt(value, ...keys);
  return typeof found === "string" ? found : "";
};

/** A list deep in a JSON value; empty where there is none. */
export const listAt = (value: unknown, ...keys: readonly Key[]): readonly unknown[] => {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found : [];
};

/** Names and values of an object deep in a JSON value; empty where there is none. */
export const membersAt = (value: unknown, ...keys: readonly Key[]): readonly [string, unknown][] => {
  const found = valueAt(value, ...keys);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? Object.entries(found) : [];
};
