import { Kind, type TSchema } from "@sinclair/typebox";
import { type DroppedRows, type EachRow, getListRule, isAboveFloor, ROWS_FLOOR } from "../catalog/rows.ts";
import { isUnusable, judgeReading, unusable } from "../catalog/unusable.ts";
import { compileSchema } from "../core/compile-schema.ts";

/** Counts the rows of one reading of one answer that could not be read. */
export interface RowTally {
  /** The value without the rows that do not match; the same value if all match, or if too many do not. */
  sift(schema: TSchema, value: unknown): unknown;
  readonly eachRow: EachRow;
  /** Undefined if every row was read. */
  dropped(): DroppedRows | undefined;
  /** The first list with too few good rows. */
  tooMany(): string | undefined;
}

/** Refuses an answer with too few readable rows. */
export class TooFewRows extends Error {}

interface ListCount {
  dropped: number;
  readonly of: number;
  readonly floor: number;
}

/** Whether rows may be left out anywhere below a schema; computed only for bad answers, once for each schema. */
const known = new WeakMap<TSchema, boolean>();
function hasRows(schema: TSchema): boolean {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const has = getListRule(schema)?.kind === "rows" || listInner(schema).some(hasRows);
  known.set(schema, has);
  return has;
}

const isSchema = (value: unknown): value is TSchema => typeof value === "object" && value !== null && Kind in value;

function listInner(schema: TSchema): readonly TSchema[] {
  const { properties = {}, patternProperties = {}, anyOf = [], allOf = [], items = [] } = schema;
  const all: readonly unknown[] = [
    ...Object.values(properties),
    ...Object.values(patternProperties),
    ...[anyOf, allOf, items].flat(),
  ];
  return all.filter(isSchema);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Sets a member, even one named "__proto__", which has a special meaning in an assignment. */
const toObject = (entries: readonly (readonly [string, unknown])[]): object =>
  Object.freeze(Object.fromEntries(entries));

const renderTooMany = ({ dropped, of }: ListCount): string => `${dropped} of ${of} rows cannot be read`;

/** A row whose own list has too few good rows is a bad row. */
function readOne(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof TooFewRows) return unusable(error.message);
    throw error;
  }
}

export function createRowTally(): RowTally {
  /** The lists that lost rows, keyed by the remaining list. */
  const lists = new Map<unknown, ListCount>();
  let fault: string | undefined;
  let too_many: string | undefined;

  /** Indices of the matching rows; undefined if all match, or too few. */
  const findGood = (schema: TSchema, rows: readonly unknown[], floor: number): ReadonlySet<number> | undefined => {
    const check = compileSchema(schema);
    const good = new Set<number>();
    for (const [index, row] of rows.entries()) {
      if (check.Check(row)) {
        good.add(index);
        continue;
      }
      const first = check.Errors(row).First();
      fault ??= `row ${index} at "${first?.path || "/"}": ${first?.message ?? "no match"}`;
    }
    const count = { dropped: rows.length - good.size, of: rows.length, floor };
    if (count.dropped === 0) return undefined;
    if (isAboveFloor(count, floor)) return good;
    too_many ??= renderTooMany(count);
    return undefined;
  };
  const keep = <T extends object>(left: T, count: ListCount): T => {
    lists.set(left, count);
    return Object.freeze(left);
  };

  const siftList = (schema: TSchema, rows: readonly unknown[]): unknown => {
    const row_schema = schema.items as TSchema;
    const rule = getListRule(schema);
    const inner = hasRows(row_schema) ? rows.map((row) => sift(row_schema, row)) : rows;
    const is_same = inner.every((row, index) => row === rows[index]);
    if (rule?.kind !== "rows") return is_same ? rows : Object.freeze(inner);
    const good = findGood(row_schema, inner, rule.floor);
    if (!good) return is_same ? rows : Object.freeze(inner);
    const left = inner.filter((_, index) => good.has(index));
    return keep(left, { dropped: rows.length - left.length, of: rows.length, floor: rule.floor });
  };

  const siftNamed = (row_schema: TSchema, value: Readonly<Record<string, unknown>>, floor: number): unknown => {
    const entries = Object.entries(value).map(([name, row]) => [name, sift(row_schema, row)] as const);
    const rows = entries.map(([, row]) => row);
    const good = findGood(row_schema, rows, floor);
    if (!good) return rows.every((row, index) => row === value[entries[index]?.[0] ?? ""]) ? value : toObject(entries);
    const left = toObject(entries.filter((_, index) => good.has(index)));
    return keep(left, { dropped: rows.length - good.size, of: rows.length, floor });
  };

  const siftMembers = (schema: TSchema, value: Readonly<Record<string, unknown>>): unknown => {
    const named: Readonly<Record<string, TSchema>> = schema.properties ?? {};
    const [any] = Object.values((schema.patternProperties ?? {}) as Readonly<Record<string, TSchema>>);
    const rule = getListRule(schema);
    if (rule?.kind === "rows" && any) return siftNamed(any, value, rule.floor);
    const changed: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value)) {
      const inner = Object.hasOwn(named, name) ? named[name] : any;
      if (!inner || !hasRows(inner)) continue;
      const left = sift(inner, member);
      if (left !== member) changed[name] = left;
    }
    return Object.keys(changed).length > 0 ? Object.freeze({ ...value, ...changed }) : value;
  };

  const siftTuple = (schemas: readonly TSchema[], value: readonly unknown[]): unknown => {
    const left = value.map((member, index) => {
      const inner = schemas[index];
      return inner && hasRows(inner) ? sift(inner, member) : member;
    });
    return left.every((member, index) => member === value[index]) ? value : Object.freeze(left);
  };

  const sift = (schema: TSchema, value: unknown): unknown => {
    if (!hasRows(schema)) return value;
    if (schema.anyOf) {
      for (const one of schema.anyOf as readonly TSchema[]) {
        const left = sift(one, value);
        if (compileSchema(one).Check(left)) return left;
      }
      return value;
    }
    if (schema.allOf) return (schema.allOf as readonly TSchema[]).reduce((left, one) => sift(one, left), value);
    if (Array.isArray(value)) {
      if (Array.isArray(schema.items)) return siftTuple(schema.items, value);
      return isSchema(schema.items) ? siftList(schema, value) : value;
    }
    return isRecord(value) ? siftMembers(schema, value) : value;
  };

  const eachRow: EachRow = (rows, readRow, options = {}) => {
    const before = lists.get(rows);
    const read: unknown[] = [];
    for (const [index, row] of rows.entries()) {
      const one = readOne(() => judgeReading(readRow(row, index), options.gives_text));
      if (isUnusable(one)) fault ??= `row ${index}: ${one.why}`;
      else read.push(one);
    }
    const lost = rows.length - read.length;
    if (lost > 0) {
      const floor = options.floor ?? before?.floor ?? ROWS_FLOOR;
      const count = { dropped: lost + (before?.dropped ?? 0), of: before?.of ?? rows.length, floor };
      if (!isAboveFloor(count, floor)) throw new TooFewRows(`${renderTooMany(count)}: ${fault}`);
      lists.set(rows, count);
    }
    // The results of `readRow` for all rows except the refused ones.
    return read as never;
  };

  return {
    sift,
    eachRow,
    tooMany: () => too_many,
    dropped() {
      const counts = [...lists.values()];
      if (counts.length === 0) return undefined;
      const sum = (pick: (count: ListCount) => number) => counts.reduce((all, count) => all + pick(count), 0);
      return { dropped: sum(({ dropped }) => dropped), of: sum(({ of }) => of), fault: fault ?? "" };
    },
  };
}
