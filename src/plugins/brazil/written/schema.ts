import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf, text } from "intel-node";
import type { MacroData } from "../br-macro/schema.ts";

export const EventSchema = Type.Object(
  {
    time_utc: text("When, ISO 8601 UTC."),
    title: text("What is published or decided."),
    source: oneOf(["ibge", "bcb"], "Its publisher."),
    url: nullable(Type.String(), "Where; null when not stated."),
  },
  closed,
);
export const Events = nullable(
  Type.Array(EventSchema, { maxItems: 60 }),
  "Releases and decisions of the next 14 days; null when the calendar is missing.",
);

export type BrazilEvent = Static<typeof EventSchema>;

/** The calendar of a text: its copy, because answers are frozen. */
export const listEvents = (macro: MacroData | null): BrazilEvent[] | null =>
  macro?.calendar?.slice(0, 60).map((one) => ({ ...one })) ?? null;
