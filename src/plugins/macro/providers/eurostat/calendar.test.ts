import { expect, test } from "bun:test";
import { createRecordedContext } from "../../../../../test/helpers/product-harness.ts";
import { fetchEurostatDates } from "./calendar.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);
const PLANNED = "DISSEMINATION_TIMESTAMP_PLANNED";
const read = (annotation: unknown) =>
  fetchEurostatDates(
    createRecordedContext({
      now_ms: NOW_MS,
      bodies: { "eurostat GET /statistics/1.0/data/une_rt_m": { class: "dataset", extension: { annotation } } },
    }),
    "unemployment_ea",
  );

test("a publication planned at the hour of releases counts, an upload at another hour does not", async () => {
  const dates = await read([
    { type: "UPDATE_DATA", date: "2026-10-30T11:00:00+0100" },
    { type: PLANNED, date: "2026-10-30T11:00:00+0100" },
    { type: PLANNED, date: "2026-10-12T23:00:00+0200" },
  ]);
  expect(dates.map(({ at_ms }) => at_ms)).toEqual([Date.UTC(2026, 9, 30, 10)]);
});

test("a data set that states no plan has no date; one without remarks is another answer", async () => {
  expect(await read([{ type: "UPDATE_DATA", date: "2026-10-01T11:00:00+0200" }])).toEqual([]);
  expect(read([])).rejects.toThrow("extension");
});
