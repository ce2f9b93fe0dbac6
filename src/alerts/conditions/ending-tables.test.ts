import { expect, test } from "bun:test";
import { registry } from "../../plugins/registry.gen.ts";
import { findEndingTables } from "./ending-tables.ts";

const NOW_MS = Date.parse("2027-11-21T12:00:00Z");
const endings = (copom_dates: readonly string[]) =>
  findEndingTables(
    { providers: { tables: {} }, plugins: { tables: { brazil: { copom_dates } } } } as never,
    registry,
    NOW_MS,
  );
const ofCopom = (copom_dates: readonly string[]) => endings(copom_dates).filter(({ what }) => what.includes("Copom"));

test("the Copom's meetings that are shipped end in December 2027, and the configuration adds more", () => {
  expect(ofCopom([])).toEqual([
    {
      what: "meetings of the Copom",
      last_day: "2027-12-08",
      extend: "[plugins.brazil] copom_dates",
      days_left: 17,
    },
  ]);
  expect(ofCopom(["2028-06-14"])).toEqual([]);
});
