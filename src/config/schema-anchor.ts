import { Type } from "@sinclair/typebox";
import { closed } from "../core/schema-fields.ts";
import { Duration, Url } from "./schema-parts.ts";

/** Public timestamps of what the node signed. */
export const Anchor = Type.Object(
  {
    calendars: Type.Array(
      Url("address of an OpenTimestamps calendar, https", "https://alice.btc.calendar.opentimestamps.org"),
      {
        default: [],
        maxItems: 8,
        description: "who is handed the hash of everything the node signed so far; none = no public timestamps",
        example: ["https://alice.btc.calendar.opentimestamps.org", "https://bob.btc.calendar.opentimestamps.org"],
      },
    ),
    every: Duration("24h", "time between two hashes, at least 1h"),
  },
  {
    ...closed,
    description: "public timestamps of histories and seals (OpenTimestamps); off unless calendars are named",
  },
);
