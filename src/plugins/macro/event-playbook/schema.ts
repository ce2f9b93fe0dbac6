import { type Static, Type } from "@sinclair/typebox";
import { closed, count, day, nullable, oneOf, share, text } from "intel-node";
import { ALIASES, EVENTS } from "./events.ts";
import { WINDOWS, type WindowId } from "./study.ts";

export const EventPlaybookParams = Type.Object(
  {
    event: Type.Optional(
      oneOf(
        [...EVENTS, ...Object.keys(ALIASES)],
        "fomc, cpi, nfp (jobs and payrolls mean nfp), ecb, ppi, gdp, pce, retail or claims.",
        "fomc",
      ),
    ),
    detail: Type.Optional(
      oneOf(
        ["summary", "full"],
        "summary: d0 of every instrument and the last 4 events; full: every window, the last 12, and subsets by trend.",
        "summary",
      ),
    ),
  },
  closed,
);

const EDGES = ["up", "down", "volatile", "none"] as const;
const WINDOW_IDS = Object.keys(WINDOWS) as WindowId[];
const move = (description: string) => Type.Number({ description, decimals: 6 });
const moveOrNull = (description: string, when?: string) => nullable(Type.Number({ decimals: 6 }), description, when);
const chance = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1, decimals: 6 }), description);

const Window = Type.Object(
  {
    window: oneOf(WINDOW_IDS, "pre5, pre1: 5 and 1 observations before; d0, d3, d5: to the 1st, 3rd and 5th after it."),
    n: count("Events whose whole window is there."),
    mean: move("Mean move, in unit."),
    median: move("Median move, in unit."),
    sd: moveOrNull("Sample standard deviation; null below 2 events."),
    t: moveOrNull("Student's t of the mean against 0; null below 8 events, or when nothing moved."),
    p: chance("Its two-sided p value; null without it."),
    p_adj: chance("p adjusted for all windows of all assets, shown or not (Benjamini-Hochberg); null without p."),
    hit_rate: share("Share of events with a rise.", { decimals: 6 }),
    wilson_low: share("Lower end of its 95 % interval (Wilson).", { decimals: 6 }),
    wilson_high: share("Upper end of the same.", { decimals: 6 }),
    min: move("Lowest move."),
    max: move("Highest move."),
    mean_abs: move("Mean size of the move."),
    baseline_n: count("Ordinary windows of the same length in the same years."),
    baseline_mean: moveOrNull("Their mean move; null without any."),
    baseline_mean_abs: moveOrNull("Mean size of theirs; null without any."),
    vol_ratio: moveOrNull("mean_abs over baseline_mean_abs; null without it."),
    welch_p: chance("p value that the sizes differ from ordinary ones (Welch); null without."),
    edge: oneOf(EDGES, "What the numbers support; mostly none."),
  },
  closed,
);

const Asset = Type.Object(
  {
    id: text("Instrument."),
    title: text("What it is."),
    provider: text("Where its history is from."),
    is_proxy: Type.Boolean({ description: "Whether it represents something else, such as a gold token for gold." }),
    unit: oneOf(["percent", "basis points"], "Log returns x 100, or changes of a yield."),
    last_observation: day("Last day of its history."),
    windows: Type.Array(Window, { description: "One row per window; d0 alone without detail=full." }),
  },
  closed,
);

const Conditional = Type.Object(
  {
    asset: text("Instrument."),
    window: oneOf(WINDOW_IDS, "Which window."),
    condition: oneOf(["above_50", "below_50"], "Before the event it was above or below its mean of 50 observations."),
    n: count("Events."),
    mean: move("Mean move, in the asset's unit."),
    hit_rate: share("Share with a rise.", { decimals: 6 }),
    wilson_low: share("Lower end of its 95 % interval.", { decimals: 6 }),
    wilson_high: share("Upper end of the same.", { decimals: 6 }),
    t: moveOrNull("Student's t of the mean against 0", "when nothing moved"),
  },
  closed,
);

export const EventPlaybookSchema = Type.Object(
  {
    event: oneOf(EVENTS, "Which event."),
    title: text("Its name."),
    release_time_local: text("Usual time of day, in zone."),
    zone: text("IANA time zone."),
    n_events: count("Past events that are known."),
    first: day("First of them."),
    last: day("Last of them."),
    excluded: Type.Array(Type.Object({ date: day("Day."), reason: text("Why it is left out.") }, closed), {
      description: "Events left out of every number.",
    }),
    next_occurrence: nullable(
      Type.Object(
        {
          time_utc: text("When, ISO 8601 UTC."),
          hours_until: Type.Number({ description: "Hours from now.", minimum: 0, decimals: 2 }),
          status: oneOf(["scheduled", "estimated"], "scheduled: published; estimated: by the publisher's rule."),
        },
        closed,
      ),
      "The next one; null when unknown.",
    ),
    assets: Type.Array(Asset, { description: "How each instrument moved.", minItems: 1 }),
    conditional: nullable(
      Type.Array(Conditional),
      "The same by what was known before, where there are 8 events or more",
      "without detail=full",
    ),
    current_conditions: nullable(
      Type.Record(Type.String(), oneOf(["above_50", "below_50"], "Where it is now.")),
      "By instrument: which condition holds now; withheld in previews.",
    ),
    playbook: Type.Array(
      Type.Object(
        {
          asset: text("Instrument."),
          label: oneOf(EDGES, "What the numbers support."),
          statement: text("The same in words, made of these numbers alone."),
          n: count("Events."),
          p_adj: chance("Adjusted p value of the mean; null without."),
          vol_ratio: moveOrNull("Size against ordinary days; null without."),
        },
        closed,
      ),
      { description: "One sentence per instrument about d0." },
    ),
    events: Type.Array(
      Type.Object(
        {
          date: day("Day."),
          moves: Type.Record(Type.String(), Type.Number({ decimals: 6 }), { description: "d0 by instrument." }),
        },
        closed,
      ),
      { description: "The last 12 events; the last 4 without detail=full.", maxItems: 12 },
    ),
  },
  closed,
);

export type EventPlaybookData = Static<typeof EventPlaybookSchema>;
export type PlaybookWindow = Static<typeof Window>;
