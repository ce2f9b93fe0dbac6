import { describe, expect, test } from "bun:test";
import { type Chart, parseCharts } from "./chart.ts";

const time = (changes: object = {}) => ({
  kind: "time",
  title: "Price",
  about: "",
  unit: "usd",
  step_ms: 1,
  lines: [
    {
      name: "a",
      points: [
        [1, 2],
        [2, null],
      ],
    },
  ],
  ...changes,
});
const heat = (changes: object = {}) => ({
  kind: "heat_map",
  title: "Heat",
  about: "",
  labels: ["a", "b"],
  cells: [
    [1, null],
    [0.5, 1],
  ],
  ...changes,
});
const band = { name: "up", tone: "good", from_ms: 1, to_ms: 2 };

test("charts as they should be are taken as they are", () => {
  const charts: unknown[] = [
    time({ bands: [band], filled: true }),
    heat(),
    time({ lines: [{ name: "a", points: [] }] }),
  ];
  expect(parseCharts(charts)).toEqual(charts as Chart[]);
  expect(parseCharts([])).toEqual([]);
});

describe("refused is", () => {
  test.each<[string, unknown]>([
    ["a value that is not a list", time()],
    ["an unknown kind", [time({ kind: "pie" })]],
    ["an unknown field", [time({ onclick: "x" })]],
    ["a value that is not a number", [time({ lines: [{ name: "a", points: [[1, Number.NaN]] }] })]],
    ["an endless value", [time({ lines: [{ name: "a", points: [[1, Number.POSITIVE_INFINITY]] }] })]],
    ["an invalid time", [time({ lines: [{ name: "a", points: [[1.5, 1]] }] })]],
    [
      "points out of order",
      [
        time({
          lines: [
            {
              name: "a",
              points: [
                [2, 1],
                [1, 1],
              ],
            },
          ],
        }),
      ],
    ],
    [
      "two points at one time",
      [
        time({
          lines: [
            {
              name: "a",
              points: [
                [2, 1],
                [2, 1],
              ],
            },
          ],
        }),
      ],
    ],
    ["a chart without lines", [time({ lines: [] })]],
    ["a band that ends before it begins", [time({ bands: [{ ...band, to_ms: 0 }] })]],
    ["a table that is not square", [heat({ cells: [[1, 1]] })]],
    ["a row that is too short", [heat({ cells: [[1, 1], [1]] })]],
    ["a correlation above 1", [heat({ labels: ["a"], cells: [[1.1]] })]],
    ["a fifth chart", Array.from({ length: 5 }, () => heat())],
    ["too many points", [time({ lines: [{ name: "a", points: Array.from({ length: 1_001 }, (_, at) => [at, 1]) }] })]],
  ])("%s", (_, charts) => {
    expect(() => parseCharts(charts)).toThrow("charts");
  });
});

test.each([
  [[{ ...time(), unit: "m" }], 'charts[0].unit must be "usd", "percent" or "number": it is "m"'],
  [[time(), { ...time(), kind: "pie" }], 'charts[1].kind must be "time", "heat_map" or "bars": it is "pie"'],
  [[null], 'charts[0].kind must be "time", "heat_map" or "bars": it is left out'],
  [[{ ...time(), step_ms: undefined }], "charts[0].step_ms is missing"],
  [[{ ...time(), lines: [{ name: "a", values: [] }] }], "charts[0].lines[0].points is missing"],
  [[{ ...time(), colour: "red" }], "charts[0].colour is not known"],
  [[time({ lines: [{ name: "a", points: [[1, Number.NaN]] }] })], "charts[0].lines[0].points[0][1] is refused: "],
  [[time(), time(), time(), time(), time()], "charts: at most 4, there are 5"],
  ["none", "charts must be a list"],
])("a fault names the field and what it may be: %#", (charts, message) => {
  expect(() => parseCharts(charts)).toThrow(message);
});
