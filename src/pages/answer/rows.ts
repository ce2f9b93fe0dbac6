import { getOwn } from "../../core/own.ts";
import { isJson, type Json } from "../json.ts";

/** A column of a list of objects: a member, or a member of an object in it. */
export interface ShownColumn {
  readonly path: readonly [string] | readonly [string, string];
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== "object";
/** The most members of an object shown in columns; a larger one goes below its row. */
const INNER_MAX = 4;

export const cellOf = (row: Json, { path: [name, inner] }: ShownColumn): unknown => {
  const value = getOwn(row, name);
  return inner === undefined || !isJson(value) ? value : getOwn(value, inner);
};

const isNothing = (value: unknown): boolean => value === null || value === undefined;

/** The members of some objects, in the order of their first appearance. */
const namesOf = (rows: readonly Json[]): readonly string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** The columns of a member; null if the member goes below its row. */
function columnsOf(name: string, rows: readonly Json[]): readonly ShownColumn[] | null {
  const values = rows.map((row) => getOwn(row, name)).filter((value) => !isNothing(value));
  if (values.every(isPlain)) return values.length === 0 ? [] : [{ path: [name] }];
  if (!values.every(isJson)) return null;
  const inner = namesOf(values);
  const fits = inner.length <= INNER_MAX && values.every((value) => Object.values(value).every(isPlain));
  return fits ? inner.map((member) => ({ path: [name, member] })) : null;
}

/** A list of objects as a table: its columns, and the members that need more room than a cell. */
export interface Grid {
  readonly columns: readonly ShownColumn[];
  readonly below: readonly string[];
}

/** A member that all rows lack has no column. Columns above `columns_max` go below their row. */
export function findGrid(rows: readonly Json[], columns_max: number): Grid {
  const members = namesOf(rows).map((name) => ({ name, own: columnsOf(name, rows) }));
  const columns: ShownColumn[] = [];
  const below: string[] = [];
  for (const { name, own } of members) {
    if (own === null || columns.length + own.length > columns_max) below.push(name);
    else columns.push(...own);
  }
  return { columns, below };
}
