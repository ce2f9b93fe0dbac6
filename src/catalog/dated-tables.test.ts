import { expect, test } from "bun:test";
import { listEndingTables, renderEndingTable } from "./dated-tables.ts";

const pluginWith = (...last_days: readonly string[]) => ({
  dated: (config: string) =>
    last_days.map((last_day) => ({ what: `dates of ${config}`, last_day, extend: "[plugins.a] dates" })),
});
const NOW_MS = Date.parse("2026-10-10T23:59:00Z");
const list = (...last_days: readonly string[]) =>
  listEndingTables([pluginWith(...last_days)], () => "the config", NOW_MS);

test("warned about from 120 days before its end on, and after it", () => {
  expect(list("2027-02-08").map(({ days_left }) => days_left)).toEqual([]);
  expect(list("2027-02-07", "2026-10-09", "2026-10-10").map(({ days_left }) => days_left)).toEqual([-1, 0, 120]);
  expect(list("2027-02-07").map(renderEndingTable)).toEqual([
    "dates of the config: known until 2027-02-07, 120 days from now; [plugins.a] dates adds more",
  ]);
  expect(list("2026-10-01").map(renderEndingTable)[0]).toContain("which is over");
});
