import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, oneOf, share, text, WRITTEN_FIELDS } from "intel-node";

const z = Type.Number({ description: "Robust standard deviations off the year's median.", decimals: 2 });
const figure = (description: string) => Type.Number({ description, digits: 8 });

const Unusual = Type.Object(
  {
    id: text("Metric, the same from edition to edition."),
    metric: text("What it is."),
    asset: text("Coin it is about."),
    value: figure("The current value, in `unit`."),
    unit: oneOf(["pct", "number"] as const, "pct: percent."),
    z,
  },
  closed,
);

export const ResearchSchema = Type.Object(
  {
    question: nullable(Type.String({ maxLength: 1_000 }), "The question as it was asked", "without one"),
    kind: oneOf(
      ["unusual", "quiet", "asked"] as const,
      "quiet: nothing is two deviations off, and breadth is shown instead; asked: about the coin that question names.",
    ),
    topic: Type.Object(Unusual.properties, {
      ...closed,
      description:
        "What the brief is about: of kind unusual the furthest off, of kind quiet breadth, which is not unusual, of " +
        "kind asked the furthest off of that coin, which may be usual.",
    }),
    runners_up: Type.Array(Unusual, {
      description: "The next two that are unusual, or of that coin; none when quiet.",
      maxItems: 2,
    }),
    scanned: count("Metrics that were judged."),
    quantiles: nullable(
      Type.Object(
        {
          p5: figure("5 % of the days lie below."),
          p25: figure("A quarter."),
          p50: figure("Half."),
          p75: figure("Three quarters."),
          p95: figure("95 %."),
        },
        closed,
      ),
      "Of the topic's last 365 days, in its unit",
      "for an oddity without daily history",
    ),
    similar_days: nullable(
      Type.Array(
        Type.Object(
          {
            horizon_d: Type.Integer({ description: "Days after.", minimum: 1 }),
            n: count("Days as unusual as today, which overlap."),
            mean_pct: Type.Number({ description: "Mean change of the asset after them, percent.", decimals: 4 }),
            hit_rate: share("Share of rises."),
            wilson_low: share("Wilson 95 %, low."),
            wilson_high: share("High."),
          },
          closed,
        ),
        { maxItems: 3 },
      ),
      "After 1, 5 and 20 days; those with fewer than 8 days are left out; null without daily history.",
    ),
    markdown: Type.String({ description: "The brief in Markdown.", maxLength: 30_000 }),
    ...WRITTEN_FIELDS,
  },
  closed,
);
export type ResearchData = Static<typeof ResearchSchema>;
