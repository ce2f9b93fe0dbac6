import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { type EachRow, Rows, RowsByKey, Whole } from "../catalog/rows.ts";
import { unusable } from "../catalog/unusable.ts";
import { readValue } from "./read-answer.ts";

const Row = Type.Object({ id: Type.Integer(), price: Type.Number({ exclusiveMinimum: 0 }) });
const rows = (count: number, ...bad: readonly number[]) =>
  Array.from({ length: count }, (_, id) => ({ id, price: bad.includes(id) ? 0 : 1 + id }));
const facts = { status: 200, bytes: 1 };

function read(schema: TSchema, value: unknown, reader?: (value: never, eachRow: EachRow) => unknown) {
  const made = reader && ((one: never, _: unknown, eachRow: EachRow) => reader(one, eachRow));
  const got = readValue(value, { schema, read: made }, { facts });
  return got.ok ? { reading: got.reading, dropped: got.dropped, is_whole: got.is_whole } : got.reason;
}

describe("rows that do not match", () => {
  test("are left out and counted; the fault of the first is reported, but not its value", () => {
    const got = read(Type.Object({ items: Rows(Row) }), { items: rows(10, 3) });
    expect(got).toEqual({
      reading: { items: rows(10).filter(({ id }) => id !== 3) },
      dropped: { dropped: 1, of: 10, fault: 'row 3 at "/price": Expected number to be greater than 0' },
      is_whole: false,
    });
  });

  test("a good answer is passed on as the same object", () => {
    const value = { items: rows(5) };
    const got = read(Type.Object({ items: Rows(Row) }), value);
    expect(typeof got === "string" ? null : got.reading).toBe(value);
    expect(got).toMatchObject({ dropped: undefined, is_whole: true });
  });

  test.each<[string, number, readonly number[], number | undefined, boolean]>([
    ["one of two may go", 2, [1], undefined, true],
    ["the only one may not", 1, [0], undefined, false],
    ["two of ten may go", 10, [1, 2], undefined, true],
    ["three of ten are below the floor of 80 %", 10, [1, 2, 3], undefined, false],
    ["of a lower floor they are not", 10, [1, 2, 3], 0.5, true],
    ["a floor of 1 still lets one go", 10, [1], 1, true],
  ])("%s", (_, count, bad, floor, stands) => {
    const got = read(Rows(Row, floor === undefined ? {} : { floor }), rows(count, ...bad));
    if (stands) expect(got).toMatchObject({ dropped: { dropped: bad.length, of: count } });
    else expect(got).toStartWith(`${bad.length} of ${count} rows cannot be read`);
  });

  test("the minimum counts good rows", () => {
    expect(read(Rows(Row, { minItems: 10 }), rows(10, 1))).toStartWith("unexpected shape");
  });

  test("a list declared whole is refused with one bad row, and so is an undeclared one", () => {
    expect(read(Whole("book", Row), rows(10, 1))).toStartWith('unexpected shape at "/1/price"');
    expect(read(Type.Array(Row), rows(10, 1))).toStartWith('unexpected shape at "/1/price"');
  });

  test("a missing field beside the rows still causes a refusal", () => {
    expect(read(Type.Object({ items: Rows(Row), at: Type.Integer() }), { items: rows(10, 1) })).toStartWith(
      'unexpected shape at "/at"',
    );
  });

  test("are found under names, in unions, tuples, intersections and in other rows", () => {
    const byKey = read(RowsByKey(Row), { a: { id: 1, price: 1 }, b: null, __proto__x: { id: 2, price: 2 } });
    expect(byKey).toMatchObject({ reading: { a: { id: 1 }, __proto__x: { id: 2 } }, dropped: { dropped: 1, of: 3 } });
    const union = Type.Object({ items: Type.Optional(Type.Union([Rows(Row), Type.Null()])) });
    expect(read(union, { items: rows(4, 0) })).toMatchObject({ dropped: { dropped: 1, of: 4 } });
    expect(read(Type.Tuple([Type.String(), Rows(Row)]), ["x", rows(4, 0)])).toMatchObject({ dropped: { of: 4 } });
    const both = Type.Intersect([Type.Object({ a: Rows(Row) }), Type.Object({ b: Type.Number() })]);
    expect(read(both, { a: rows(4, 0), b: 1 })).toMatchObject({ dropped: { dropped: 1, of: 4 } });
    const nested = Rows(Type.Object({ of: Rows(Row, { minItems: 2 }) }), { floor: 0.5 });
    const got = read(nested, [{ of: rows(2, 0) }, { of: rows(3, 0) }]);
    expect(got).toMatchObject({ reading: [{ of: [{ id: 1 }, { id: 2 }] }] });
  });
});

test("any input is read or refused, and never fails in another way", () => {
  const values = [
    null,
    0,
    "x",
    [],
    {},
    [[]],
    [{}],
    { items: [] },
    { items: {} },
    { items: null },
    [{ items: [1] }],
    [1, [2]],
  ];
  const schemas = [
    Rows(Row),
    RowsByKey(Row),
    Type.Object({ items: Rows(Row) }),
    Type.Tuple([Type.Number(), Rows(Row)]),
    Type.Union([Rows(Row), RowsByKey(Row)]),
  ];
  for (const schema of schemas) {
    for (const value of values) {
      const got = read(schema, value);
      expect(typeof got === "string" ? got : "").not.toContain("could not be judged");
    }
  }
});

describe("rows that a reader refuses", () => {
  const readRows = (floor?: number) => (list: readonly { price: number }[], eachRow: EachRow) =>
    eachRow(list, ({ price }) => (price > 5 ? unusable("too dear") : { price }), floor === undefined ? {} : { floor });

  test("are left out, and counted together with those that the schema left out of the same list", () => {
    const got = read(Rows(Row, { floor: 0.5 }), rows(7, 0), readRows() as never);
    expect(got).toMatchObject({
      reading: [1, 2, 3, 4].map((id) => ({ price: id + 1 })),
      dropped: { dropped: 3, of: 7 },
    });
  });

  test("cause a refusal below the minimum of good rows", () => {
    expect(read(Rows(Row), rows(7, 0), readRows() as never)).toStartWith("3 of 7 rows cannot be read");
    expect(read(Rows(Row), rows(7), readRows(0.5) as never)).toMatchObject({ dropped: { dropped: 2, of: 7 } });
  });

  test("a text is a row if the reader says so, else a refusal, because older plugins refused by texts", () => {
    const reader = (gives_text: boolean) => (list: readonly { id: number }[], eachRow: EachRow) =>
      eachRow(list, ({ id }) => `row ${id}`, { gives_text });
    expect(read(Rows(Row), rows(2), reader(true) as never)).toMatchObject({ reading: ["row 0", "row 1"] });
    expect(read(Rows(Row), rows(2), reader(false) as never)).toContain("it refuses by unusable(why)");
  });

  test("a row whose own rows are too few is a bad row", () => {
    const schema = Rows(Rows(Row));
    const reader = (lists: readonly (readonly { price: number }[])[], eachRow: EachRow) =>
      eachRow(lists, (list) => eachRow(list, ({ price }) => (price > 5 ? unusable("too dear") : { price })));
    expect(read(schema, [rows(3), rows(9)], reader as never)).toMatchObject({
      reading: [[{ price: 1 }, { price: 2 }, { price: 3 }]],
      dropped: { dropped: 1, of: 2 },
    });
  });
});
