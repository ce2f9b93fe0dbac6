import type { Database } from "bun:sqlite";
import type { AnyTable, Columns, RowOf, TableDefinition, TableWriter } from "../catalog/table.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import { TABLES_SCHEMA } from "./kept-db.ts";
import { StoreError } from "./store-error.ts";
import { createTableAccess } from "./table-access.ts";
import { describeColumns, quote, type RowShape, renderIndexes, renderTable } from "./table-sql.ts";

/** The tables of all plugins, in their two files. */
export interface TableStore {
  /** Brings a table to its newest form. @throws StoreError when it cannot be used; its rows stay as they are. */
  add(plugin_id: string, table: AnyTable): void;
  /** Whether this very declaration was taken in or refused before. */
  knows(table: AnyTable): boolean;
  /** @throws StoreError when the table is not declared, or was refused. */
  open<C extends Columns>(table: TableDefinition<C>): TableWriter<RowOf<C>>;
  /** Drops rows that are older than their table keeps them, a few thousand at a time. */
  prune(now_ms: number): Promise<void>;
}

export interface TableStoreOptions {
  readonly kept: Database;
  readonly disposable: Database;
}

const NAME = /^[a-z][a-z0-9-]{0,39}\/[a-z][a-z0-9-]{0,59}$/;
const COLUMN = /^[a-z][a-z0-9_]{0,59}$/;
const COLUMNS_MAX = 100;
const PRUNED_AT_ONCE = 5_000;

/** @throws StoreError naming the fault of a declaration. */
function assertSound(plugin_id: string, { name, columns, key, indexes = [], retention, storage }: AnyTable): void {
  const fault = (why: string): never => {
    throw new StoreError(`table "${name}": ${why}`);
  };
  if (!NAME.test(name) || !name.startsWith(`${plugin_id}/`)) fault(`its name must be "${plugin_id}/<kebab-case>"`);
  if (storage !== "kept" && storage !== "disposable") fault(`storage must be "kept" or "disposable"`);
  const names = Object.keys(columns);
  if (names.length === 0 || names.length > COLUMNS_MAX) fault(`1 to ${COLUMNS_MAX} columns`);
  const odd = names.find((one) => !COLUMN.test(one) || one === "row_id");
  if (odd !== undefined) fault(`"${odd}" is no name of a column`);
  const used: readonly string[] = [...(key ?? []), ...indexes.flat(), ...(retention ? [retention.column] : [])];
  const unknown = used.find((one) => !names.includes(one));
  if (unknown !== undefined) fault(`it has no column "${unknown}"`);
  if (key?.length === 0) fault("its key is empty");
  const loose = key?.find((one: string) => columns[one]?.nullable || columns[one]?.type === "json");
  if (loose !== undefined) fault(`"${loose}" can be null or is JSON, and cannot be part of the key`);
  if (retention && columns[retention.column]?.type !== "integer") fault("retention needs an integer column of ms");
}

/** Rows are dropped by a time: without an index that would read the whole table every hour. */
function listIndexes({ key, indexes = [], retention }: AnyTable): readonly (readonly string[])[] {
  if (!retention) return indexes;
  const led = [key ?? [], ...indexes].some((columns: readonly string[]) => columns[0] === retention.column);
  return led ? indexes : [...indexes, [retention.column]];
}

/** What the file says a table's columns are. */
function describeStored(db: Database, table: string): readonly string[] {
  return db
    .query<{ name: string; type: string; notnull: number; pk: number }, [string]>(
      'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
    )
    .all(table)
    .filter(({ name }) => name !== "row_id")
    .map(({ name, type, notnull, pk }) => `${name} ${type}${notnull ? " NOT NULL" : ""}${pk > 0 ? ` key ${pk}` : ""}`)
    .sort();
}

function assertColumns(db: Database, shape: RowShape, why: string): void {
  const [wanted, stored] = [describeColumns(shape), describeStored(db, shape.table)];
  const missing = wanted.filter((line) => !stored.includes(line));
  const surplus = stored.filter((line) => !wanted.includes(line));
  if (missing.length + surplus.length === 0) return;
  throw new StoreError(
    `table "${shape.name}": ${why}: declared but not stored: ${missing.join("; ") || "nothing"}; ` +
      `stored but not declared: ${surplus.join("; ") || "nothing"}`,
  );
}

function dropOldIndexes(db: Database, table: string, wanted: readonly string[]): void {
  const stored = db
    .query<{ name: string }, [string]>("SELECT name FROM pragma_index_list(?) WHERE origin = 'c'")
    .all(table);
  for (const { name } of stored)
    if (!wanted.some((sql) => sql.includes(quote(name)))) db.run(`DROP INDEX ${quote(name)}`);
}

/** Makes or migrates one table. All of it happens, or nothing. */
function bringUpToDate(db: Database, definition: AnyTable, shape: RowShape): void {
  const { name, storage, migrations = [] } = definition;
  const newest = migrations.length + 1;
  const indexes = listIndexes(definition);
  const find = db.query<{ version: number }, [string]>("SELECT version FROM stored_tables WHERE name = ?");
  const create = () => {
    for (const sql of renderTable(shape, indexes)) db.run(sql);
  };
  const migrate = (version: number) => {
    if (version > newest) throw new StoreError(`table "${name}" has version ${version}; this plugin knows ${newest}`);
    for (const migration of migrations.slice(version - 1)) for (const sql of migration(quote(shape.table))) db.run(sql);
    const why = version < newest ? "after its migrations" : "its columns were changed without a migration";
    assertColumns(db, shape, why);
    const wanted = renderIndexes(shape.table, indexes);
    dropOldIndexes(db, shape.table, wanted);
    for (const sql of wanted) db.run(sql);
  };
  const stored = find.get(name)?.version;
  const work = (version: number | undefined) =>
    db.transaction(() => {
      if (version === undefined) create();
      else migrate(version);
      db.query("INSERT INTO stored_tables VALUES (?, ?) ON CONFLICT DO UPDATE SET version = excluded.version").run(
        name,
        newest,
      );
    });
  try {
    work(stored).immediate();
  } catch (error) {
    if (storage === "kept" || stored === undefined) {
      throw error instanceof StoreError
        ? error
        : new StoreError(`table "${name}": ${messageOf(error)}`, { cause: error });
    }
    // What is disposable is made anew rather than kept in a form nobody knows.
    db.run(`DROP TABLE IF EXISTS ${quote(shape.table)}`);
    work(undefined).immediate();
  }
}

/** Opens the plugins' tables in files that are open. */
export function createTableStore({ kept, disposable }: TableStoreOptions): TableStore {
  for (const db of [kept, disposable]) db.run(TABLES_SCHEMA);
  // biome-ignore lint/suspicious/noExplicitAny: the map holds tables of every form; open() gives each its own back.
  const added = new Map<AnyTable, { readonly db: Database; readonly access: TableWriter<any> }>();
  const refused = new Map<AnyTable, string>();
  const names = new Set<string>();

  const add = (plugin_id: string, definition: AnyTable): void => {
    assertSound(plugin_id, definition);
    if (names.has(definition.name)) throw new StoreError(`table "${definition.name}" is declared twice`);
    names.add(definition.name);
    const db = definition.storage === "kept" ? kept : disposable;
    const { name, columns, key } = definition;
    const shape: RowShape = { name, table: name, columns, key };
    bringUpToDate(db, definition, shape);
    added.set(definition, { db, access: createTableAccess(db, shape) });
  };

  return {
    knows: (definition) => added.has(definition) || refused.has(definition),
    add(plugin_id, definition) {
      try {
        add(plugin_id, definition);
      } catch (error) {
        refused.set(definition, messageOf(error));
        throw error;
      }
    },
    open<C extends Columns>(table: TableDefinition<C>): TableWriter<RowOf<C>> {
      const found = added.get(table);
      if (found) return found.access;
      const why = refused.get(table) ?? `table "${table.name}" is in no plugin's list of tables`;
      throw new StoreError(why);
    },
    async prune(now_ms) {
      for (const [{ name, retention }, { db }] of added) {
        if (!retention) continue;
        const before_ms = now_ms - parseDuration(retention.keep);
        const drop = db.query<unknown, [number, number]>(
          `DELETE FROM ${quote(name)} WHERE rowid IN
             (SELECT rowid FROM ${quote(name)} WHERE ${quote(retention.column)} < ? LIMIT ?)`,
        );
        while (drop.run(before_ms, PRUNED_AT_ONCE).changes === PRUNED_AT_ONCE) await Bun.sleep(0);
      }
    },
  };
}
