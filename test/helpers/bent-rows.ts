/** Ways one row of a list is odd. */
export const ROW_BENDS = ["null_row", "text_row", "duplicate", "extra_field", "other_order", "missing_row"] as const;
/** Ways one field of it is. */
export const FIELD_BENDS = [
  ...["wrong_type", "null", "negative", "absurd", "missing", "empty", "unknown_enum", "entity"],
  ...["zero", "nested", "not_finite"],
] as const;
export type Bend = (typeof ROW_BENDS)[number] | (typeof FIELD_BENDS)[number];

type Path = readonly (string | number)[];

/** One list of an answer, and which of its rows is bent how. */
export interface BentRow {
  readonly list: Path;
  readonly index: number;
  /** Of the field in the row; empty for the row itself. */
  readonly field: Path;
  readonly bend: Bend;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isRow = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Lists of rows in an answer, one of each place: of many lists in the same place, the longest. */
export function findLists(answer: unknown): readonly Path[] {
  const found = new Map<string, { path: Path; rows: number }>();
  const walk = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) {
      if (value.length > 0 && value.every(isRow)) {
        const place = path.map((step) => (typeof step === "number" ? "*" : step)).join("/");
        if ((found.get(place)?.rows ?? 0) < value.length) found.set(place, { path, rows: value.length });
      }
      for (const [index, one] of value.entries()) walk(one, [...path, index]);
    } else if (isObject(value)) {
      for (const [name, one] of Object.entries(value)) walk(one, [...path, name]);
    }
  };
  walk(answer, []);
  return [...found.values()].map(({ path }) => path);
}

export const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, step) => (isRow(inner) ? (inner as Record<string, unknown>)[step] : undefined), value);

/** Plain values of a row, one level of lists deep: what stands in longer lists is a list of its own. */
function findFields(row: unknown, path: Path = []): readonly Path[] {
  if (!isRow(row)) return path.length > 0 ? [path] : [];
  if (Array.isArray(row) && row.some(isRow) && path.length > 0) return [];
  return Object.entries(row as object).flatMap(([name, inner]) =>
    findFields(inner, [...path, Array.isArray(row) ? Number(name) : name]),
  );
}

const isNumeric = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));

/** Far from anything a market has, and still a number of JSON. */
const ABSURD = 1e90;
/** Longer than the largest amount a chain can hold. */
const ABSURD_TEXT = "9".repeat(90);

function bendField(value: unknown, bend: Bend): unknown {
  // A number instead of digits would be the same number.
  if (bend === "wrong_type") return typeof value !== "string" ? "<b>n/a</b>" : isNumeric(value) ? true : 20_261_001;
  if (bend === "null") return null;
  if (bend === "negative")
    return typeof value === "number" ? -Math.abs(value) - 1 : `-${String(value).replace("-", "")}`;
  if (bend === "absurd") return typeof value === "number" ? ABSURD : ABSURD_TEXT;
  if (bend === "empty") return "";
  if (bend === "zero") return typeof value === "number" ? 0 : "0";
  if (bend === "nested") return [value];
  if (bend === "not_finite") return typeof value === "number" ? "Infinity" : "NaN";
  return bend === "unknown_enum" ? "N3verSe3n" : `${String(value)} &amp;&lt;x&gt;`;
}

const bendsOf = (value: unknown): readonly Bend[] => [
  ...(["wrong_type", "null", "missing", "nested"] as const),
  ...(isNumeric(value) ? (["negative", "absurd", "zero", "not_finite"] as const) : []),
  ...(typeof value === "string" ? (["empty", "unknown_enum", "entity"] as const) : []),
];

/** Every way to bend a row of a list. */
export function listBends(answer: unknown, list: Path, index: number): readonly BentRow[] {
  const row = (at(answer, list) as readonly unknown[])[index];
  return [
    ...ROW_BENDS.map((bend) => ({ list, index, field: [], bend })),
    ...findFields(row).flatMap((field) => bendsOf(at(row, field)).map((bend) => ({ list, index, field, bend }))),
  ];
}

function bendRow(rows: unknown[], { index, field, bend }: BentRow): void {
  const row = rows[index];
  if (field.length > 0) {
    const owner = at(row, field.slice(0, -1)) as Record<string, unknown>;
    const name = field.at(-1) ?? "";
    if (bend !== "missing") owner[name] = bendField(owner[name], bend);
    else if (Array.isArray(owner)) owner.splice(Number(name), 1);
    else delete owner[name];
  } else if (bend === "missing_row") rows.splice(index, 1);
  else if (bend === "duplicate") rows.splice(index, 0, structuredClone(row));
  else if (bend === "other_order") rows.reverse();
  else if (bend === "extra_field" && isObject(row)) rows[index] = { ...row, zz_new: { of: [1, "x"] } };
  else if (bend === "extra_field" && Array.isArray(row)) row.push("zz_new");
  else rows[index] = bend === "null_row" ? null : "<b>row</b>";
}

/** A copy of an answer with a row bent. */
export function bendAnswer(answer: unknown, bent: BentRow): unknown {
  const copy = structuredClone(answer);
  bendRow(at(copy, bent.list) as unknown[], bent);
  return copy;
}

/** Every number in a value, as text. */
export function listNumbers(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value === "number" || typeof value === "bigint") found.add(String(value));
  else if (value instanceof Map) for (const [key, one] of value) listNumbers([key, one], found);
  else if (value instanceof Uint8Array) return found;
  else if (value instanceof Set) for (const one of value) listNumbers(one, found);
  else if (isRow(value)) for (const one of Object.values(value as object)) listNumbers(one, found);
  return found;
}

export const renderBent = ({ list, index, field, bend }: BentRow): string =>
  `${list.join("/") || "(all)"}[${index}]${field.length > 0 ? `.${field.join(".")}` : ""} ${bend}`;
