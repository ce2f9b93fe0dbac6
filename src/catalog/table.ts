import type { Static, TSchema } from "@sinclair/typebox";
import { declare } from "./definition-site.ts";

/** How a column is stored: "bigint" holds 64 bits exactly, "json" any value its schema allows. */
export type ColumnType = "text" | "integer" | "real" | "boolean" | "bigint" | "json";

export interface Column<V = unknown> {
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Of a "json" column: checked when it is written. */
  readonly schema?: TSchema;
  /** Never set: carries the type of its values. */
  readonly value?: V;
}

const of = <V>(type: ColumnType): Column<V> => Object.freeze({ type, nullable: false });

/** What a table's columns may be. */
export const column = {
  text: (): Column<string> => of("text"),
  /** A whole number that JavaScript holds exactly, such as a time in ms. */
  integer: (): Column<number> => of("integer"),
  /** A finite number. */
  real: (): Column<number> => of("real"),
  boolean: (): Column<boolean> => of("boolean"),
  /** 64 bits, such as an amount in the smallest unit of an asset. */
  bigint: (): Column<bigint> => of("bigint"),
  json: <S extends TSchema>(schema: S): Column<Static<S>> => Object.freeze({ ...of<Static<S>>("json"), schema }),
  nullable: <V>(one: Column<V>): Column<V | null> => Object.freeze({ ...(one as Column<V | null>), nullable: true }),
} as const;

/** The columns of a table, by name. */
export type Columns = Readonly<Record<string, Column>>;
/** A row of a table with these columns. */
export type RowOf<C extends Columns> = { readonly [N in keyof C]: C[N] extends Column<infer V> ? V : never };

/**
 * Brings a stored table one version further: SQL statements for the table of that name. All of a table's missing ones
 * run in one db transaction: if one fails, the file stays as it was and the node says so.
 */
export type Migration = (table: string) => readonly string[];

/** Rows a plugin keeps beyond one answer. Observations with their own times are a series instead. */
export interface TableDefinition<C extends Columns = Columns> {
  /** `<plugin>/<name>`, kebab-case. */
  readonly name: string;
  /** Kept ones are backed up with the ledger and survive every upgrade; disposable ones may be emptied any time. */
  readonly storage: "kept" | "disposable";
  readonly columns: C;
  /** No two rows are equal in all of these. Without it every row is separate, in the order of arrival. */
  readonly key?: readonly (keyof C & string)[];
  readonly indexes?: readonly (readonly (keyof C & string)[])[];
  /** Rows whose `column`, a time in ms, is older than `keep`, such as "90d", are dropped once an hour. */
  readonly retention?: { readonly column: keyof C & string; readonly keep: string };
  /**
   * `columns` is always the newest form; a new file gets it at once. Migrations bring older files up to it: the first
   * makes version 2 of version 1, and so on. A released migration is never edited.
   */
  readonly migrations?: readonly Migration[];
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tables holds different ones; each use names its own.
export type AnyTable = TableDefinition<any>;

/** Declares a table; only fixes the types. Name it in the plugin's `tables`: it is checked when the node starts. */
export function defineTable<const C extends Columns>(definition: TableDefinition<C>): TableDefinition<C> {
  return declare(definition);
}

/** Bounds of a column: `from` <= value <= `to`, or value < `below`; or one of `in`, at most 500. */
export interface Bounds<V> {
  readonly from?: V;
  readonly to?: V;
  readonly below?: V;
  readonly in?: readonly V[];
}

/** Which rows: every named column must match. Columns of JSON cannot be asked for. */
export type Where<Row> = {
  readonly [N in keyof Row]?: Row[N] | Bounds<NonNullable<Row[N]>>;
};

export interface RowQuery<Row> {
  readonly where?: Where<Row>;
  /** Columns to sort by, "-" before one turns it round. Default: the key, or the order in which rows came. */
  readonly order?: readonly ((keyof Row & string) | `-${keyof Row & string}`)[];
  /** Default 1,000, at most 10,000. */
  readonly limit?: number;
}

/** Rows that can be read. */
export interface RowReader<Row> {
  find(query?: RowQuery<Row>): Promise<readonly Row[]>;
  /** The first that matches; null when none does. */
  first(query?: Omit<RowQuery<Row>, "limit">): Promise<Row | null>;
  count(where?: Where<Row>): Promise<number>;
}

/** A table a job writes to. Resolves when it is done; a list is written whole or not at all. */
export interface TableWriter<Row> extends RowReader<Row> {
  /** At most 10,000 rows. @throws Error when the key of one is there already; TypeError when a value does not fit. */
  insert(rows: readonly Row[]): Promise<void>;
  /** Like insert, but a row with the same key is replaced. Of a table with a key only. */
  put(rows: readonly Row[]): Promise<void>;
  /** @returns how many there were. */
  remove(where: Where<Row>): Promise<number>;
}
