import { expect, test } from "bun:test";
import { PAGE_ROWS, type PagesQuery, readNewest, readPages } from "./read-pages.ts";
import type { Bounds, RowQuery, RowReader } from "./table.ts";

interface Row {
  readonly id: number;
  readonly at_ms: number;
}

/** A table in memory that sorts by `-at_ms`, and how many rows each question brought. */
function createTable(rows: readonly Row[]) {
  const pages: number[] = [];
  const sorted = rows.toSorted((a, b) => b.at_ms - a.at_ms);
  const find = async ({ where, limit = 0 }: RowQuery<Row> = {}) => {
    const { from = 0, to = Number.POSITIVE_INFINITY } = (where?.at_ms ?? {}) as Bounds<number>;
    const found = sorted.filter(({ at_ms }) => at_ms >= from && at_ms <= to).slice(0, limit);
    pages.push(found.length);
    return found;
  };
  const reader: RowReader<Row> = { find, first: async () => null, count: async () => rows.length };
  let turns = 0;
  const context = {
    inTurn: async <T>(piece: () => T): Promise<T> => {
      turns += 1;
      return piece();
    },
  };
  const readAll = async (query: Partial<PagesQuery<Row>> = {}) => {
    const read: Row[][] = [];
    for await (const page of readPages(context, reader, { by: "at_ms", ...query })) read.push([...page]);
    return read;
  };
  return { reader, context, pages, readAll, sorted, turns: () => turns };
}

const makeRows = (count: number, timeOf: (id: number) => number): readonly Row[] =>
  Array.from({ length: count }, (_, id) => ({ id, at_ms: timeOf(id) }));

test("all rows come once, newest first, no more than a page of them in a turn", async () => {
  const { readAll, sorted, pages, turns } = createTable(makeRows(4_321, (id) => Math.floor(id / 7)));
  const read = await readAll();
  expect(read.flat()).toEqual(sorted);
  expect([Math.max(...pages), turns()]).toEqual([PAGE_ROWS, pages.length]);
});

test("rows of one value are in one page, however many they are", async () => {
  const rows = makeRows(5_000, (id) => (id < 1_500 ? id : id < 4_500 ? 2_000 : 3_000 + id));
  const { readAll, sorted } = createTable(rows);
  const read = await readAll();
  expect(read.flat()).toEqual(sorted);
  expect(read.filter((page) => page.some(({ at_ms }) => at_ms === 2_000)).length).toBe(1);
});

test("more rows of one value than can be read at once do not keep the reader for ever", async () => {
  const { readAll } = createTable(makeRows(12_000, (id) => (id < 11_000 ? 5 : 1)));
  const read = (await readAll()).flat();
  expect([read.filter(({ at_ms }) => at_ms === 5).length, read.filter(({ at_ms }) => at_ms === 1).length]).toEqual([
    10_000, 1_000,
  ]);
});

test("bounds are kept, and no rows are no page", async () => {
  const { readAll } = createTable(makeRows(3_000, (id) => id));
  expect((await readAll({ from: 100, to: 2_899 })).flat().map(({ id }) => id)).toEqual(
    Array.from({ length: 2_800 }, (_, index) => 2_899 - index),
  );
  expect(await readAll({ from: 5_000, to: 6_000 })).toEqual([]);
});

test("the newest so many: what is left out is said, and exactly as many are all", async () => {
  for (const count of [1_999, 2_000, 2_001]) {
    const { reader, context, sorted } = createTable(makeRows(count, (id) => id));
    const read = await readNewest(context, reader, { by: "at_ms", rows_max: 2_000 });
    expect(read).toEqual({ rows: sorted.slice(0, 2_000), is_cut: count > 2_000 });
  }
});
