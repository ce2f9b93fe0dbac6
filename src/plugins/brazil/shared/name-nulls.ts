/**
 * A warning for every member of an answer that is null, "<field>: <reason>". Lists are left alone.
 * @param reasons why, by dotted name or by the name of what it stands in; "" is the reason of all others.
 * @param known fields that have their warning already.
 */
export function nameNulls(
  data: Readonly<Record<string, unknown>>,
  reasons: Readonly<Record<string, string>>,
  known: readonly string[] = [],
): readonly string[] {
  const walk = (value: unknown, path: readonly string[]): readonly string[] => {
    if (value === null) {
      const name = path.join(".");
      const why = reasons[name] ?? reasons[path[0] ?? ""] ?? reasons[""] ?? "unknown";
      return known.some((warning) => warning.startsWith(`${name}:`)) ? [] : [`${name}: ${why}`];
    }
    if (typeof value !== "object" || Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([key, inner]) => walk(inner, [...path, key]));
  };
  return walk(data, []);
}
