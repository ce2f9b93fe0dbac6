import { expect, test } from "bun:test";
import { registry } from "../plugins/registry.gen.ts";
import { findEndingTables } from "./ending-tables.ts";

const NOW_MS = Date.parse("2026-11-22T12:00:00Z");
const endings = (copom_dates: readonly string[]) =>
  findEndingTables(
    { providers: { tables: {} }, plugins: { tables: { brazil: { copom_dates } } } } as never,
    registry,
    NOW_MS,
  );
const ofCopom = (copom_dates: readonly string[]) => endings(copom_dates).filter(({ what }) => what.includes("Copom"));

test("the Copom's meetings that are shipped end in December 2026, and the configuration adds more", () => {
  expect(ofCopom([])).toEqual([
    {
      what: "meetings of the Copom",
      ...{ last_day: "2026-12-09", extend: "[plugins.brazil] copom_dates", days_left: 17 },
    },
  ]);
  expect(ofCopom(["2027-06-16"])).toEqual([]);
});
