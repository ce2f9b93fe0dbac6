import { expect, test } from "bun:test";
import { createDayCiter } from "./cite-days.ts";
import { createPack } from "./facts.ts";

const own = { from: "/br-macro", label: "x" };
const builder = createPack({
  days: [
    { ...own, name: "copom", date: "2026-12-09" },
    { ...own, name: "focus_year", date: "2026-12-31" },
    { ...own, name: "unknown", date: null },
  ],
});
builder.add({ ...own, name: "selic", unit: "pct", value: 15, as_of: "2026-11-20T12:00:00Z" });
const pack = builder.build();

test("days are the last facts of a pack; an unknown day makes no fact", () => {
  expect(pack.facts.map(({ id, name, value, unit }) => [id, name, value, unit])).toEqual([
    ["F1", "selic", 15, "pct"],
    ["F2", "copom", 20261209, "day"],
    ["F3", "focus_year", 20261231, "day"],
  ]);
  expect(pack.dates).toContain("2026-12-09");
});

test("a block cites the fact of each day it names once, and does not cite days in quotations", () => {
  const cite = (text: string, facts: readonly string[] = []) =>
    createDayCiter(pack, "en")({ id: "b", text, facts: [...facts], sources: [] });
  expect(cite("The Copom decides on 2026-12-09, and 9 December 2026 is near.")).toEqual(["F2"]);
  expect(cite("It decides on 2026-12-09.", ["F2"])).toEqual([]);
  expect(cite("The survey expects 15% for 2026.", ["F1"])).toEqual(["F3"]);
  // A day that a cited fact has as its date needs no further fact.
  expect(cite("15% as of 2026-11-20.", ["F1"])).toEqual([]);
  expect(cite("As of 2026-11-20.")).toEqual(["F1"]);
  expect(cite('a.org: "Copom on 2026-12-09".')).toEqual([]);
});
