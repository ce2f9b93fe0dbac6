import type { Column, Columns, ColumnType, RowQuery, Where } from "../catalog/table.ts";
import { compileSchema } from "../core/compile-schema.ts";
import { canonicalJSON } from "../core/hash.ts";

/** What bun:sqlite binds. */
export type Bound = string | number | bigint | null;
export type StoredRow = Readonly<Record<string, string | number | null>>;

/** What of a definition shapes the SQL. */
export interface RowShape {
  /** How messages call it. */
  readonly name: string;
  /** The table's name in the file. */
  readonly table: string;
  readonly columns: Columns;
  readonly key?: readonly string[] | undefined;
}

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: "TEXT",
  integer: "INTEGER",
  real: "REAL",
  boolean: "INTEGER",
  bigint: "INTEGER",
  json: "TEXT",
};
const LIMIT_MAX = 10_000;
const LIMIT_DEFAULT = 1_000;
const IN_MAX = 500;
const JSON_CHARS_MAX = 1_000_000;
const TEXT_CHARS_MAX = 1_000_000;
const INT64_MAX = 2n ** 63n - 1n;

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The statements that make a table in its newest form. */
export function renderTable({ table, columns, key }: RowShape, indexes: readonly (readonly string[])[]): string[] {
  const lines = Object.entries(columns).map(
    ([name, { type, nullable }]) => `${quote(name)} ${SQL_TYPES[type]}${nullable ? "" : " NOT NULL"}`,
  );
  const identity = key ? [`PRIMARY KEY (${key.map(quote).join(", ")})`] : [];
  // Without AUTOINCREMENT the id of a deleted last row would be given again, and the order of coming would break.
  const row_id = key ? [] : ["row_id INTEGER PRIMARY KEY AUTOINCREMENT"];
  return [
    `CREATE TABLE ${quote(table)} (${[...row_id, ...lines, ...identity].join(", ")}) STRICT`,
    ...renderIndexes(table, indexes),
  ];
}

export const renderIndexes = (table: string, indexes: readonly (readonly string[])[]): string[] =>
  indexes.map((columns) => {
    const name = `${table} by ${columns.join(" ")}`;
    return `CREATE INDEX IF NOT EXISTS ${quote(name)} ON ${quote(table)} (${columns.map(quote).join(", ")})`;
  });

/** One line per column, as a table in a file states them too: how both are compared. */
export const describeColumns = ({ columns, key }: RowShape): readonly string[] =>
  Object.entries(columns)
    .map(([name, { type, nullable }]) => {
      const place = key ? key.indexOf(name) + 1 : 0;
      return `${name} ${SQL_TYPES[type]}${nullable ? "" : " NOT NULL"}${place > 0 ? ` key ${place}` : ""}`;
    })
    .sort();

/** A 64-bit number comes back as text: as a number it would lose its last digits. */
export const renderSelection = ({ columns }: RowShape): string =>
  Object.entries(columns)
    .map(([name, { type }]) => (type === "bigint" ? `CAST(${quote(name)} AS TEXT) AS ${quote(name)}` : quote(name)))
    .join(", ");

/** Turns a value into what is stored. @throws TypeError when it does not fit its column. */
export type Encode = (value: unknown) => Bound;

/** One encoder per column, with the schemas of JSON compiled once. */
export function createEncoders({ name, columns }: RowShape): Readonly<Record<string, Encode>> {
  const encoders = Object.entries(columns).map(([column, definition]) => {
    const encode = createEncoder(definition);
    const encodeColumn: Encode = (value) => {
      if (value === null && definition.nullable) return null;
      const stored = encode(value);
      if (stored === undefined) {
        throw new TypeError(`${name}.${column}: ${describe(value)} is no ${definition.type}`);
      }
      return stored;
    };
    return [column, encodeColumn] as const;
  });
  return Object.fromEntries(encoders);
}

const describe = (value: unknown): string =>
  typeof value === "object" || typeof value === "string" ? typeof value : String(value);

/** Undefined when the value does not fit. */
function createEncoder({ type, schema }: Column): (value: unknown) => Bound | undefined {
  switch (type) {
    case "text":
      return (value) => (typeof value === "string" && value.length <= TEXT_CHARS_MAX ? value : undefined);
    case "integer":
      return (value) => (Number.isSafeInteger(value) ? (value as number) : undefined);
    case "real":
      // SQLite would store NaN as null.
      return (value) => (Number.isFinite(value) ? (value as number) : undefined);
    case "boolean":
      return (value) => (typeof value === "boolean" ? Number(value) : undefined);
    case "bigint":
      return (value) =>
        typeof value === "bigint" && value <= INT64_MAX && value >= -INT64_MAX - 1n ? value : undefined;
    case "json": {
      const check = schema && compileSchema(schema);
      return (value) => {
        if (check && !check.Check(value)) return undefined;
        const text = canonicalJSON(value);
        return text.length <= JSON_CHARS_MAX ? text : undefined;
      };
    }
  }
}

/** A row as its plugin knows it. */
export function decodeRow({ columns }: RowShape, row: StoredRow): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(columns)) {
    const value = row[name] ?? null;
    if (value === null) decoded[name] = null;
    else if (type === "boolean") decoded[name] = value === 1;
    else if (type === "bigint") decoded[name] = BigInt(value);
    else if (type === "json") decoded[name] = JSON.parse(String(value));
    else decoded[name] = value;
  }
  return decoded;
}

export interface SQLCondition {
  readonly sql: string;
  readonly values: readonly Bound[];
}

const COMPARISONS = { from: ">=", to: "<=", below: "<" } as const;
const isBounds = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** @throws TypeError when a column is unknown or of JSON, or a value does not fit it. */
export function renderWhere(
  shape: RowShape,
  encoders: Readonly<Record<string, Encode>>,
  where: Where<Record<string, unknown>> = {},
): SQLCondition {
  const parts: string[] = [];
  const values: Bound[] = [];
  for (const [name, wanted] of Object.entries(where)) {
    const encode = encoders[name];
    if (!encode || shape.columns[name]?.type === "json")
      throw new TypeError(`${shape.name}.${name} cannot be asked for`);
    if (wanted === undefined) continue;
    if (wanted === null) {
      parts.push(`${quote(name)} IS NULL`);
    } else if (!isBounds(wanted)) {
      parts.push(`${quote(name)} = ?`);
      values.push(encode(wanted));
    } else {
      for (const [bound, value] of Object.entries(wanted)) {
        if (value === undefined) continue;
        if (bound === "in") {
          const list = Array.isArray(value) ? value : [];
          if (list.length > IN_MAX) throw new TypeError(`${shape.name}.${name}: at most ${IN_MAX} values at once`);
          parts.push(`${quote(name)} IN (${list.map(() => "?").join(", ")})`);
          values.push(...list.map(encode));
        } else {
          const comparison = COMPARISONS[bound as keyof typeof COMPARISONS];
          if (!comparison) throw new TypeError(`${shape.name}.${name}: "${bound}" is no bound`);
          parts.push(`${quote(name)} ${comparison} ?`);
          values.push(encode(value));
        }
      }
    }
  }
  return { sql: parts.length === 0 ? "" : ` WHERE ${parts.join(" AND ")}`, values };
}

/** @throws TypeError when a column is unknown. */
export function renderOrder(shape: RowShape, order: RowQuery<Record<string, unknown>>["order"]): string {
  const wanted = order ?? shape.key ?? [];
  const terms = wanted.map((term) => {
    const [name, way] = term.startsWith("-") ? [term.slice(1), " DESC"] : [term, ""];
    if (!shape.columns[name]) throw new TypeError(`${shape.name} has no column "${name}" to sort by`);
    return quote(name) + way;
  });
  // Rows that are equal in what they are sorted by stay in the order they came.
  if (!shape.key) terms.push("row_id");
  return ` ORDER BY ${terms.join(", ")}`;
}

export const renderLimit = (limit: number = LIMIT_DEFAULT): string =>
  ` LIMIT ${Math.max(0, Math.min(LIMIT_MAX, Math.floor(limit)))}`;

export const ROWS_MAX = LIMIT_MAX;
