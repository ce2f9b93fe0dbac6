import {
  type ArrayOptions,
  type ObjectOptions,
  type TArray,
  type TRecord,
  type TSchema,
  type TString,
  Type,
} from "@sinclair/typebox";
import type { Unusable } from "./unusable.ts";

/**
 * Why a list is read whole or not at all, although its rows could be read one by one:
 * - `book`: levels of an order book; a gap makes another price of the same amount.
 * - `series`: values in the order of time; after a gap, each value has the wrong neighbour.
 * - `columns`: members belong to those of another list by their position.
 * - `sum`: what is sold is a sum, a share or an extreme over all of them.
 * - `screening`: an entry left out of it would pass as not listed.
 * - `one`: the answer is about one thing, and this list holds it.
 * - `parts`: parts of one thing, which is a different thing if one is missing.
 */
export const WHOLE_REASONS = ["book", "series", "columns", "sum", "screening", "one", "parts"] as const;
export type WholeReason = (typeof WHOLE_REASONS)[number];

/** What was decided about a list. */
export type ListRule =
  | { readonly kind: "rows"; readonly floor: number }
  | { readonly kind: "whole"; readonly why: WholeReason };

const RULE = Symbol("list rule");

/** The share of good rows an answer needs, unless its reader says otherwise. */
export const ROWS_FLOOR = 0.8;

export interface RowsOptions extends ArrayOptions {
  /** Share of good rows the answer needs, 0 to 1; default `ROWS_FLOOR`. One bad row is always allowed. */
  readonly floor?: number;
}

export interface RowsByKeyOptions extends ObjectOptions {
  readonly floor?: number;
  /** What a name must be, or the whole answer is refused; default: any text. */
  readonly key?: TString;
}

/**
 * A list whose rows are read one by one: a row that does not match is left out, counted and reported in the answer's
 * `warnings`; below the floor, or without any good row, the answer is refused. `minItems` counts good rows.
 */
export const Rows = <S extends TSchema>(row: S, { floor = ROWS_FLOOR, ...options }: RowsOptions = {}): TArray<S> =>
  Type.Array(row, { ...options, [RULE]: { kind: "rows", floor } satisfies ListRule });

/** The same for rows under a name each. */
export const RowsByKey = <S extends TSchema>(
  row: S,
  { floor = ROWS_FLOOR, key = Type.String(), ...options }: RowsByKeyOptions = {},
): TRecord<TString, S> => Type.Record(key, row, { ...options, [RULE]: { kind: "rows", floor } satisfies ListRule });

/** A list that is refused with its first bad row, because without that row the others say something else. */
export const Whole = <S extends TSchema>(why: WholeReason, row: S, options: ArrayOptions = {}): TArray<S> =>
  Type.Array(row, { ...options, [RULE]: { kind: "whole", why } satisfies ListRule });

/** The rule declared for a list; undefined without one: the list is read whole. */
export const getListRule = (schema: TSchema): ListRule | undefined =>
  RULE in schema ? (schema[RULE as unknown as string] as ListRule) : undefined;

/** Rows of one answer that could not be read. */
export interface DroppedRows {
  readonly dropped: number;
  /** Of how many, in the lists that lost some. */
  readonly of: number;
  /** What was wrong with the first of them: for the log alone. */
  readonly fault: string;
}

/** Bad rows that an answer of so many may have. */
const countAllowed = (rows: number, floor: number): number => Math.max(1, Math.floor(rows * (1 - floor) + 1e-9));

/** Whether an answer has enough good rows. */
export const isAboveFloor = ({ dropped, of }: Pick<DroppedRows, "dropped" | "of">, floor: number): boolean =>
  dropped < of && dropped <= countAllowed(of, floor);

/** For a file that is read line by line. @throws Error when too few of its rows could be read */
export function assertAboveFloor(count: Pick<DroppedRows, "dropped" | "of">, fault: string, floor = ROWS_FLOOR): void {
  if (count.dropped > 0 && !isAboveFloor(count, floor)) {
    throw new Error(`${count.dropped} of ${count.of} rows cannot be read: ${fault}`);
  }
}

/** The warning for the buyer; never any content of the row itself. */
export const renderDropped = (provider: string, { dropped, of }: Pick<DroppedRows, "dropped" | "of">): string =>
  `${provider}: ${dropped} of ${of} rows ${dropped === 1 ? "was" : "were"} unreadable and left out`;

/**
 * Reads rows one by one, for what a schema cannot say of them: `unusable(why)` refuses the row, not the answer. Below
 * the floor the answer is refused. What the schema left out of the same list counts too.
 */
export type EachRow = <R, T>(
  rows: readonly R[],
  readRow: (row: R, index: number) => T | Unusable,
  options?: {
    readonly floor?: number;
    /** What `readRow` returns may be a text. Without it a text refuses the row. */
    readonly gives_text?: boolean;
  },
) => T[];
