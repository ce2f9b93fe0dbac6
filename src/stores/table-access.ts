import type { Database } from "bun:sqlite";
import type { Columns, RowOf, RowQuery, RowReader, TableWriter, Where } from "../catalog/table.ts";
import {
  type Bound,
  createEncoders,
  decodeRow,
  quote,
  ROWS_MAX,
  type RowShape,
  renderLimit,
  renderOrder,
  renderSelection,
  renderWhere,
  type StoredRow,
} from "./table-sql.ts";

type AnyRow = Readonly<Record<string, unknown>>;

/** Reads the rows of one table of an open file. */
export function createRowReader<C extends Columns>(db: Database, shape: RowShape): RowReader<RowOf<C>> {
  const encoders = createEncoders(shape);
  const from = `FROM ${quote(shape.table)}`;
  const selection = renderSelection(shape);
  const select = ({ where, order, limit }: RowQuery<AnyRow> = {}): readonly RowOf<C>[] => {
    const { sql, values } = renderWhere(shape, encoders, where);
    const text = `SELECT ${selection} ${from}${sql}${renderOrder(shape, order)}${renderLimit(limit)}`;
    const rows = db.query<StoredRow, Bound[]>(text).all(...values);
    return rows.map((row) => decodeRow(shape, row) as RowOf<C>);
  };
  return {
    find: async (query) => select(query as RowQuery<AnyRow>),
    first: async (query) => select({ ...(query as RowQuery<AnyRow>), limit: 1 })[0] ?? null,
    async count(where) {
      const { sql, values } = renderWhere(shape, encoders, where as Where<AnyRow>);
      return db.query<{ n: number }, Bound[]>(`SELECT count(*) AS n ${from}${sql}`).get(...values)?.n ?? 0;
    },
  };
}

/** Turns rows into what an INSERT binds, in the order of the columns. @throws TypeError when one does not fit. */
export function createRowEncoder(shape: RowShape): (row: AnyRow) => Bound[] {
  const encoders = Object.entries(createEncoders(shape));
  const known = new Set(Object.keys(shape.columns));
  return (row) => {
    const stranger = Object.keys(row).find((name) => !known.has(name));
    if (stranger !== undefined) throw new TypeError(`${shape.name} has no column "${stranger}"`);
    return encoders.map(([name, encode]) => encode(row[name] ?? null));
  };
}

export const renderInsert = ({ table, columns }: RowShape): string => {
  const names = Object.keys(columns);
  return `INSERT INTO ${quote(table)} (${names.map(quote).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
};

/** Reads and writes the rows of one table of an open file. */
export function createTableAccess<C extends Columns>(db: Database, shape: RowShape): TableWriter<RowOf<C>> {
  const encoders = createEncoders(shape);
  const encodeRow = createRowEncoder(shape);
  const insert = renderInsert(shape);
  const { key } = shape;
  const others = Object.keys(shape.columns).filter((name) => !key?.includes(name));
  const assignments = others.map((name) => `${quote(name)} = excluded.${quote(name)}`).join(", ");
  const conflict = others.length === 0 ? "DO NOTHING" : `DO UPDATE SET ${assignments}`;

  const write = (sql: string, rows: readonly AnyRow[]): void => {
    if (rows.length > ROWS_MAX) throw new TypeError(`${shape.name}: ${rows.length} rows in one go`);
    // All are checked before the first is written.
    const bound = rows.map(encodeRow);
    const statement = db.query<unknown, Bound[]>(sql);
    db.transaction(() => {
      for (const values of bound) statement.run(...values);
    }).immediate();
  };
  return {
    ...createRowReader<C>(db, shape),
    insert: async (rows) => write(insert, rows),
    async put(rows) {
      if (!key) throw new TypeError(`${shape.name} has no key by which a row could be replaced`);
      write(`${insert} ON CONFLICT (${key.map(quote).join(", ")}) ${conflict}`, rows);
    },
    async remove(where) {
      const { sql, values } = renderWhere(shape, encoders, where as Where<AnyRow>);
      // Counted by SQLite itself, which a trigger or an index does not change.
      return db.query<unknown, Bound[]>(`DELETE FROM ${quote(shape.table)}${sql}`).run(...values).changes;
    },
  };
}
