import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf, text } from "intel-node";
import { COUNTRIES, CURRENCIES } from "../releases/kinds.ts";

export const DAYS = { max: 14, default: 7 } as const;

export const MacroCalendarParams = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        description: "Days ahead.",
        minimum: 1,
        maximum: DAYS.max,
        default: DAYS.default,
      }),
    ),
  },
  closed,
);

const number = (description: string, when?: string) => nullable(Type.Number({ digits: 8 }), description, when);

const Event = Type.Object(
  {
    id: text("Country, kind and day, such as US:cpi:2026-11-10; of an auction its term too."),
    kind: text("Kind of event, such as cpi, fomc or ecb."),
    title: text("What it is."),
    country: oneOf(COUNTRIES, "ISO 3166; EA is the euro area."),
    currency: oneOf(CURRENCIES, "Currency it moves first."),
    time_utc: text("When, ISO 8601 UTC; the start of the day where no time is known."),
    time_local: text("The same as clocks show it in its zone, YYYY-MM-DD HH:MM."),
    zone: text("IANA time zone of time_local."),
    all_day: Type.Boolean({ description: "Whether only the day is known." }),
    importance: oneOf(["high", "medium", "low"], "How markets take this kind, by this node's own table."),
    period: nullable(
      Type.String(),
      "Period the number is about: YYYY-MM, YYYY-Qn or the day a week ended; null without.",
    ),
    status: oneOf(
      ["scheduled", "tentative", "estimated", "released"],
      "scheduled: the publisher's date; tentative: its usual day, or a date it calls provisional; estimated: by a " +
        "rule; released: its time has passed, and of a kind with a number the number is there.",
    ),
    window_days: nullable(
      Type.Integer({ minimum: 0 }),
      "Of a date by a rule: days around it within which the rule was right so far",
      "for all else",
    ),
    previous: number("The number of the period before, as published now", "without one"),
    actual: number(
      "The number of this period; null until it is in the official series, and for kinds without a number.",
    ),
    unit: nullable(Type.String(), "Unit of previous and actual", "for kinds without a number"),
    consensus: nullable(
      Type.Number(),
      "Expected number; null: no official source publishes one, and no licence is held.",
    ),
    surprise: nullable(Type.Number(), "actual less consensus; null without it."),
    vs_trailing: nullable(
      Type.Number({ decimals: 4 }),
      "actual less the mean of the 12 numbers before it, in their standard deviations; null without.",
    ),
    source: text("Provider whose calendar or rule it is from."),
    url: text("Where the publisher shows it."),
  },
  closed,
);

export const MacroCalendarSchema = Type.Object(
  {
    from: text("First day covered, YYYY-MM-DD UTC."),
    to: text("Last day covered, YYYY-MM-DD UTC."),
    events: Type.Array(Event, {
      description: "The last 7 days, today and as many days after it as asked for, by time.",
    }),
    next_high_impact: nullable(
      Type.Object(
        {
          id: text("Which event."),
          time_utc: text("When, ISO 8601 UTC."),
          hours_until: Type.Number({ description: "Hours from now.", minimum: 0, decimals: 2 }),
        },
        closed,
      ),
      "The next event of high importance within 14 days that is not only estimated",
      "when there is none",
    ),
    coverage: Type.Array(
      Type.Object(
        {
          source: text("Provider."),
          state: oneOf(["ok", "failed", "disabled"], "ok; failed: could not be read; disabled: not configured."),
        },
        closed,
      ),
      { description: "Which calendars these events are from." },
    ),
  },
  closed,
);

export type MacroCalendarData = Static<typeof MacroCalendarSchema>;
export type MacroEvent = Static<typeof Event>;
