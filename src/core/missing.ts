/**
 * A figure that could not be had, with the reason. A product's `compute` returns it in the place of the figure; the
 * node sells `null` there and says the reason in `warnings`, so that neither can be without the other.
 */
class Missing {
  constructor(readonly why: string) {}
}

/**
 * In the place of a figure that could not be had: `price ?? missing("no venue quotes it")`. The answer has null there
 * and the warning `"price: no venue quotes it"`; fields with the same reason share one.
 */
export const missing = (why: string): Missing => new Missing(why);

/** Whether a value is what `missing` made. */
export const isMissing = (value: unknown): boolean => value instanceof Missing;

/** A part of the data in which every null is missing for one reason; what says its own reason keeps it. */
export function missingIn<T>(part: T, why: string): Draft<T> {
  return explainNulls(part, missing(why)) as Draft<T>;
}

function explainNulls(value: unknown, reason: Missing): unknown {
  if (value === null) return reason;
  if (typeof value !== "object" || value instanceof Missing) return value;
  if (Array.isArray(value)) return value.map((row) => explainNulls(row, reason));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, explainNulls(inner, reason)]));
}

/** Data as `compute` makes it: wherever null is allowed, `missing` is allowed too. */
export type Draft<T> = T extends null
  ? null | Missing
  : T extends Missing
    ? T
    : T extends object
      ? { readonly [K in keyof T]: Draft<T[K]> }
      : T;

/** Data as it is sold, and what it lacks. */
interface Settled {
  readonly data: unknown;
  readonly warnings: readonly string[];
}

/** How often each field lacks, by reason; both in the order they were found. */
type Found = Map<string, Map<string, number>>;

/** How many fields missing for one reason are named one by one; beyond that, a section's name covers its fields. */
const FIELDS_NAMED_MAX = 4;

/**
 * Puts null where figures are missing and words the warnings, one for each reason. Data that lacks nothing is passed on
 * unchanged.
 * @param said warnings that the data has already: a field that begins one of them needs no other.
 */
export function settleMissing(draft: unknown, said: readonly string[] = []): Settled {
  const found: Found = new Map();
  const data = settle(draft, "", found);
  const known = new Set(said.flatMap((warning) => warning.split(": ", 1)[0]?.split(", ") ?? []));
  const warnings = [...found].flatMap(([why, fields]) => {
    const unsaid = new Map([...fields].filter(([field]) => !known.has(field)));
    return unsaid.size === 0 ? [] : [`${nameFields(unsaid)}: ${why}`];
  });
  return { data, warnings };
}

function settle(value: unknown, path: string, found: Found): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Missing) {
    note(found, value.why, path);
    return null;
  }
  if (Array.isArray(value)) return settleRows(value, `${path}[]`, found);
  return settleMembers(value, path === "" ? "" : `${path}.`, found);
}

function settleRows(rows: readonly unknown[], path: string, found: Found): readonly unknown[] {
  const settled = rows.map((row) => settle(row, path, found));
  return settled.every((row, index) => row === rows[index]) ? rows : settled;
}

function settleMembers(members: object, prefix: string, found: Found): object {
  const entries = Object.entries(members);
  const settled = entries.map(([name, value]) => [name, settle(value, `${prefix}${name}`, found)] as const);
  return settled.every(([, value], index) => value === entries[index]?.[1]) ? members : Object.fromEntries(settled);
}

function note(found: Found, why: string, field: string): void {
  const fields = found.get(why) ?? new Map<string, number>();
  fields.set(field, (fields.get(field) ?? 0) + 1);
  found.set(why, fields);
}

/** "bid, ask"; "rows[].account (3 of them)"; "record_stats (7 figures)". */
function nameFields(fields: ReadonlyMap<string, number>): string {
  const named = [...fields].map(([field, n]) => (n > 1 && field.includes("[]") ? `${field} (${n} of them)` : field));
  if (named.length <= FIELDS_NAMED_MAX) return named.join(", ");
  const sections = Map.groupBy(fields, ([field]) => sectionOf(field));
  return [...sections].map(([section, inside]) => nameSection(section, inside)).join(", ");
}

/** "quotes" of "quotes[].bid"; a field without a section is its own. */
const sectionOf = (field: string): string => /^[^.[]+/.exec(field)?.[0] ?? field;

function nameSection(section: string, inside: readonly (readonly [field: string, n: number])[]): string {
  if (inside.length === 1) return inside[0]?.[0] ?? section;
  return `${section} (${inside.reduce((sum, [, n]) => sum + n, 0)} figures)`;
}
