import { defineProduct, exampleOf } from "intel-node";
import { ecb } from "intel-node/providers/ecb/provider";
import { fred } from "intel-node/providers/fred/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { gdeltEvents } from "../providers/gdelt-events/provider.ts";
import { stateAdvisories } from "../providers/state-advisories/provider.ts";
import { drawGeoAlpha } from "./charts.ts";
import { computeGeoAlpha } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchGeoAlpha } from "./fetch.ts";
import { gist } from "./gist.ts";
import { GeoAlphaParams, GeoAlphaSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/geo-alpha",
  title: "Geopolitical stress",
  description:
    "One score from 0 to 100 of geopolitical stress with its parts: how much of the world's reporting is of conflict " +
    "against 60 days, travel advisories that were raised, and fear in gold, oil, yen and franc; the regions behind " +
    "it with their pages, and how markets moved after past highs. Weights and gaps are stated.",
  category: "macro",
  tags: ["geopolitics", "risk", "conflict", "gdelt", "travel-advisories"],
  search: [
    "geopolitical risk",
    "war risk",
    "conflict in the world",
    "travel advisories",
    "risco geopolítico",
    "risco de guerra",
    "tensão geopolítica",
    "Ukraine Middle East Taiwan",
    "geopolitics",
  ],
  price_usd: "0.01",
  params: GeoAlphaParams,
  data: GeoAlphaSchema,
  long: ["regions", "history_response"],
  example,
  gist,
  providers: [gdeltEvents, stateAdvisories, ecb, fred, kraken],
  requires: [[gdeltEvents]],
  asks: { "/ai-news": "optional" },
  ttl: "15m",
  max_age: "6h",
  deadline_ms: 10_000,
  preview: {
    every: "24h",
    delay: "24h",
    redact: (data) => ({ ...data, regions: null, advisory_changes: [] }),
    charts: drawGeoAlpha,
  },
  fetch: fetchGeoAlpha,
  compute: computeGeoAlpha,
});
