import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf, text, WRITTEN_FIELDS } from "intel-node";

export const BLOCK_IDS = ["crypto", "fx", "commodities", "calendar", "geo", "brazil", "ai_tech"] as const;

const Status = Type.Object(
  {
    id: oneOf(BLOCK_IDS, "Which block."),
    status: oneOf(["ok", "missing"] as const, "missing: its products are all unavailable."),
    as_of: nullable(Type.String(), "Time of its newest datum, ISO 8601 UTC; null when missing."),
  },
  closed,
);

const Event = Type.Object(
  {
    time_utc: text("When, ISO 8601 UTC."),
    title: text("What is published or decided."),
    country: text("Country or area."),
    importance: text("high or medium."),
  },
  closed,
);

export const MorningSchema = Type.Object(
  {
    edition: oneOf(["asia_open", "us_open"] as const, "asia_open from 05:30 UTC, us_open from 11:30 UTC."),
    status: Type.Array(Status, { description: "Which blocks are there.", maxItems: 8 }),
    events: nullable(
      Type.Array(Event, { maxItems: 40 }),
      "High and medium events of the next 24 hours; null if missing.",
    ),
    markdown: Type.String({ description: "The brief in Markdown.", maxLength: 30_000 }),
    ...WRITTEN_FIELDS,
  },
  closed,
);
export type MorningData = Static<typeof MorningSchema>;
