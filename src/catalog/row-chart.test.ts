import { expect, test } from "bun:test";
import { parseCharts } from "./chart.ts";
import { drawRows } from "./row-chart.ts";

interface Row {
  readonly id: string;
  readonly points: number | null;
}
const draw = (rows: readonly Row[] | null) =>
  drawRows(rows, { title: "Points", about: "", unit: "number", bar: ({ id, points }) => [id, points] });
const barsOf = (rows: readonly Row[]) => draw(rows).flatMap((chart) => (chart.kind === "bars" ? chart.bars : []));

test("a table is drawn in its order, rows without a value left out, long names cut, up to twenty", () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({
    id: `row ${index}`,
    points: index % 2 ? index - 20 : null,
  }));
  expect(barsOf(rows).map(({ value }) => value)).toEqual(rows.flatMap(({ points }) => points ?? []));
  expect(barsOf([...rows, ...rows])).toHaveLength(20);
  const [long] = barsOf([{ id: "x".repeat(99), points: 1 }, ...rows]);
  expect(long?.name).toBe(`${"x".repeat(23)}…`);
  expect(parseCharts(draw(rows))).toEqual([...draw(rows)]);
});

test("nothing is drawn where there is nothing to compare", () => {
  expect([
    draw(null),
    draw([]),
    draw([
      { id: "a", points: 1 },
      { id: "b", points: null },
    ]),
  ]).toEqual([[], [], []]);
});
