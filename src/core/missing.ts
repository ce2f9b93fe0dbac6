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

/**
 * A draft with null in the place of each missing figure, as it will be sold: for what a product makes of its figures in
 * the middle of `compute`, such as a hash over them or prose about them. The draft itself, with its reasons, is still
 * what `compute` returns.
 */
export const withNulls = <T>(draft: Draft<T>): T => settleMissing(draft).data as T;

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

/** Where one field lacks: how often, and in which rows where rows have names. */
interface Places {
  n: number;
  /** "signals[SOL].risk"; null once a row without a name lacks it. */
  named: string[] | null;
}

/** The fields that lack, "signals[].risk", by reason; both in the order they were found. */
type Found = Map<string, Map<string, Places>>;

/** How many fields missing for one reason are named one by one; beyond that, a section's name covers its fields. */
const FIELDS_NAMED_MAX = 4;
/** Rows that are named one by one; of more, their number is told. */
const ROWS_NAMED_MAX = 3;

/**
 * Puts null where figures are missing and words the warnings, one for each reason. Data that lacks nothing is passed on
 * unchanged.
 * @param said warnings that the data has already: a field that begins one of them needs no other.
 */
export function settleMissing(draft: unknown, said: readonly string[] = []): Settled {
  const found: Found = new Map();
  const data = settle(draft, ROOT, found);
  const known = new Set(said.flatMap((warning) => warning.split(": ", 1)[0]?.split(", ") ?? []));
  const warnings = [...found].flatMap(([why, fields]) => {
    const unsaid = new Map([...fields].filter(([field, { named }]) => !isSaid(known, [field, ...(named ?? [])])));
    return unsaid.size === 0 ? [] : [`${nameFields(unsaid)}: ${why}`];
  });
  return { data, warnings };
}

/** Whether warnings that stand already name a field, or each of its rows. */
const isSaid = (known: ReadonlySet<string>, [field = "", ...named]: readonly string[]): boolean =>
  known.has(field) || (named.length > 0 && named.every((one) => known.has(one)));

/** Where a value stands: "signals[].risk", and "signals[SOL].risk" while every row on the way has a name. */
interface FieldPath {
  readonly field: string;
  readonly named: string | null;
}

const ROOT: FieldPath = { field: "", named: "" };

function settle(value: unknown, at: FieldPath, found: Found): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Missing) {
    note(found, value.why, at);
    return null;
  }
  return Array.isArray(value) ? settleRows(value, at, found) : settleMembers(value, at, found);
}

function settleRows(rows: readonly unknown[], { field, named }: FieldPath, found: Found): readonly unknown[] {
  const names = named === null ? null : listRowNames(rows);
  const settled = rows.map((row, index) =>
    settle(row, { field: `${field}[]`, named: names && `${named}[${names[index]}]` }, found),
  );
  return settled.every((row, index) => row === rows[index]) ? rows : settled;
}

function settleMembers(members: object, { field, named }: FieldPath, found: Found): object {
  const within = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);
  const entries = Object.entries(members);
  const settled = entries.map(([name, value]) => {
    const at = { field: within(field, name), named: named === null ? null : within(named, name) };
    return [name, settle(value, at, found)] as const;
  });
  return settled.every(([, value], index) => value === entries[index]?.[1]) ? members : Object.fromEntries(settled);
}

/** Members that rows are called by, the best first: a side or a unit may differ by chance. */
const ROW_KEYS = [
  "id",
  "symbol",
  "asset",
  "source",
  "venue",
  "provider",
  "pair",
  "name",
  "key",
  "scope",
  "wrapper",
  "chain",
  "network",
  "country",
  "seat",
  "window",
  "tenor",
  "date",
];
/** A word that may be part of a field's name, such as "SOL" or "BTC/USD". */
const ROW_NAME = /^[\w.$/-]{1,24}$/;

/** What tells the rows of a list apart: the first of the keys that is a word, another one in each row. */
function listRowNames(rows: readonly unknown[]): readonly string[] | null {
  for (const key of ROW_KEYS) {
    const names = rows.map((row) => (row as Readonly<Record<string, unknown>> | null)?.[key]);
    const is_key = names.every((name) => typeof name === "string" && ROW_NAME.test(name));
    if (is_key && new Set(names).size === rows.length) return names as readonly string[];
  }
  return null;
}

function note(found: Found, why: string, { field, named }: FieldPath): void {
  const fields = found.get(why) ?? new Map<string, Places>();
  const places = fields.get(field) ?? { n: 0, named: [] };
  places.n += 1;
  places.named = named === null || places.named === null ? null : [...places.named, named];
  fields.set(field, places);
  found.set(why, fields);
}

/** "bid, ask"; "signals[SOL].risk"; "rows[].account (12 of them)"; "record_stats (7 figures)". */
function nameFields(fields: ReadonlyMap<string, Places>): string {
  const named = [...fields].flatMap(([field, places]) => namePlaces(field, places));
  if (fields.size <= FIELDS_NAMED_MAX) return named.join(", ");
  const sections = Map.groupBy(fields, ([field]) => sectionOf(field));
  return [...sections].map(([section, inside]) => nameSection(section, inside)).join(", ");
}

function namePlaces(field: string, { n, named }: Places): readonly string[] {
  if (named !== null && n <= ROWS_NAMED_MAX) return named;
  return [n > 1 ? `${field} (${n} of them)` : field];
}

/** "quotes" of "quotes[].bid"; a field without a section is its own. */
const sectionOf = (field: string): string => /^[^.[]+/.exec(field)?.[0] ?? field;

function nameSection(section: string, inside: readonly (readonly [field: string, places: Places])[]): string {
  const [[field, places] = [section, undefined], ...others] = inside;
  if (places !== undefined && others.length === 0) return namePlaces(field, places).join(", ");
  return `${section} (${inside.reduce((sum, [, { n }]) => sum + n, 0)} figures)`;
}
