import { Type } from "@sinclair/typebox";
import { defineSeries } from "intel-node";
import { EventCounts } from "../providers/gdelt-events/event-file.ts";

/** The files of 00:00, 06:00, 12:00 and 18:00 UTC: a sample of the same size of every day. */
export const eventSlots = defineSeries({
  name: "macro/event-slots",
  value: EventCounts,
  keep: "75d",
  storage: "disposable",
});
/** The newest file, at its own time. */
export const newestEvents = defineSeries({
  name: "macro/event-newest",
  value: EventCounts,
  keep: "newest",
  storage: "disposable",
  cited: true,
});
/** The level of every country as last read on each day: changes follow from two days. */
export const advisoryLevels = defineSeries({
  name: "macro/advisory-levels",
  value: Type.Record(Type.String(), Type.Integer({ minimum: 1, maximum: 4 })),
  every: "1d",
  keep: "400d",
  storage: "kept",
  cited: true,
});
/** Where each country's advisory can be read. */
export const advisoryPages = defineSeries({
  name: "macro/advisory-pages",
  value: Type.Record(Type.String(), Type.String()),
  keep: "newest",
  storage: "disposable",
});
/** What /geo-alpha said at the end of each day: no later knowledge changes it. */
export const geoScores = defineSeries({
  name: "macro/geo-score",
  value: Type.Number({ minimum: 0, maximum: 100 }),
  every: "1d",
  keep: "4000d",
  storage: "kept",
});
