import { Type } from "@sinclair/typebox";
import {
  closed,
  createEditions,
  defineProduct,
  drawRows,
  type Editions,
  exampleOf,
  type FetchContext,
} from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { feedFamily } from "../providers/feeds/provider.ts";
import { createQuestionParam, parseQuestion } from "../questions/question.ts";
import { computeResearch } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchResearch, type ResearchInputs } from "./fetch.ts";
import { gist } from "./gist.ts";
import type { BriefTopic } from "./metrics.ts";
import { ResearchSchema } from "./schema.ts";

const DAILY = CANDLE_VENUES.filter(({ intervals }) => intervals.includes("1d")).map(({ provider }) => provider);
const HOURS = ["00:30", "03:30", "06:30", "09:30", "12:30", "15:30", "18:30", "21:30"] as const;
/** Editions whose topic is not repeated. */
const PREVIOUS = 2;

/** Topics of the last two editions, each with how unusual it was. */
const readPrevious = async (context: FetchContext): Promise<readonly BriefTopic[]> =>
  (await editions.list(context, "1d")).slice(-PREVIOUS).map(({ value }) => (value.data as { topic: BriefTopic }).topic);

const Params = Type.Object(
  { question: createQuestionParam("What to gather facts about: one of ten coins, macro or Brazil") },
  closed,
);

export const editions: Editions<typeof Params, typeof ResearchSchema, ResearchInputs> = createEditions(
  {
    name: "ai/research-editions",
    hours: { zone: "UTC", times: HOURS },
    sold_for: "3h",
    keep: "90d",
  },
  {
    path: "/research-brief",
    title: "Research brief on what is most unusual",
    description:
      "Five-day moves, volatility and breadth of ten coins against their own year, and the oddities of the hour, in " +
      "robust deviations; a deep dive on the furthest one, or on the coin your question names with the facts it asks " +
      "for: quantiles, what followed similar days, headlines, other coins, events ahead. Every figure was checked.",
    category: "ai",
    tags: ["research", "unusual", "crypto", "brief", "history"],
    search: [
      "most unusual move",
      "what stands out in crypto this week",
      "movimento mais incomum",
      "research brief",
      "unusual moves explained",
    ],
    price_usd: "0.30",
    params: Params,
    normalise: ({ question }) => (question === undefined ? {} : { question: parseQuestion(question) }),
    data: ResearchSchema,
    example: exampleOf({}, made),
    gist,
    long: ["markdown"],
    usual_view: "brief",
    providers: [...new Set([...CANDLE_VENUES.map(({ provider }) => provider), feedFamily])],
    requires: [DAILY],
    asks: {
      ...({ "/anomalias": "optional", "/macro-calendar": "optional", "/fear-greed": "optional" } as const),
      ...({ "/global-morning-brief": "optional", "/council": "optional", "/br-brief": "optional" } as const),
    },
    uses_model: { use: "compose", need: "optional" },
    ttl: "15m",
    max_age: "49h",
    deadline_ms: 12_000,
    preview: {
      rowCharts: ({ topic, quantiles }) =>
        quantiles === null
          ? []
          : drawRows(
              [
                ["lowest 5 %", quantiles.p5],
                ["lowest quarter", quantiles.p25],
                ["half", quantiles.p50],
                ["highest quarter", quantiles.p75],
                ["highest 5 %", quantiles.p95],
                ["today", topic.value],
              ] as const,
              {
                title: "The brief's figure in its last 365 days",
                about: "The value so many days lie below or above, and today's; the text says which figure it is.",
                unit: topic.unit === "pct" ? "percent" : "number",
                bar: ([name, value]) => [name, value],
              },
            ),
      every: "24h",
      delay: "24h",
      redact: (data) => ({
        ...data,
        blocks: data.blocks.filter(({ id }) => id === "headline" || id === "what_happened"),
        facts: [],
        markdown: "",
      }),
    },
    fetch: (context, { question = null }) => fetchResearch(context, readPrevious, question),
    compute: (inputs) => computeResearch(inputs),
  },
);

export const product = defineProduct(editions.definition);
