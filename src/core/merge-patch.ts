/** JSON Merge Patch (RFC 7396). */

type JSONObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JSONObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Deeper values are replaced whole: no foreign text can overflow the stack. */
const DEPTH_MAX = 64;

/** Applies a patch: its members replace the target's, null removes a member, lists are replaced whole. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const made = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) made.delete(name);
    else made.set(name, applyMergePatch(made.get(name), value));
  }
  return Object.fromEntries(made);
}

/**
 * The patch that turns one value into another. Not every change has a patch: a member that becomes null, or a new
 * object with such a member, cannot be expressed. A caller who needs the exact value applies the patch and compares.
 * @returns undefined when both are equal.
 */
export function createMergePatch(from: unknown, to: unknown, depth = 0): unknown {
  if (isEqual(from, to)) return undefined;
  if (!isObject(from) || !isObject(to) || depth >= DEPTH_MAX) return to;
  const changes: [string, unknown][] = [];
  for (const name of Object.keys(from)) {
    if (!Object.hasOwn(to, name)) changes.push([name, null]);
  }
  for (const [name, value] of Object.entries(to)) {
    const change = Object.hasOwn(from, name) ? createMergePatch(from[name], value, depth + 1) : value;
    if (change !== undefined) changes.push([name, change]);
  }
  return Object.fromEntries(changes);
}

/** Whether two JSON values are the same; the order of members does not count. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, at) => isEqual(entry, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}
