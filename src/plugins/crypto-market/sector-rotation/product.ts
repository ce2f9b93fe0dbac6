import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { MARKET_CAP_PROVIDERS } from "intel-node/providers/market-caps";
import { drawQuadrants } from "./charts.ts";
import { computeSectorRotation, redactSectorRotation, rewindSectorRotation } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchSectorRotation } from "./fetch.ts";
import { gist } from "./gist.ts";
import { SectorRotationSchema } from "./schema.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/sector-rotation",
  title: "Crypto sector rotation",
  description:
    "Which of twelve crypto sectors (majors, layer 1 and 2, DeFi, AI, memes, infrastructure, payments, " +
    "exchanges, RWA, gaming, privacy) lead, weaken, lag or improve against the whole basket: cap-weighted " +
    "returns over 7, 30 and 90 days, relative strength, momentum, breadth, concentration, members, and " +
    "what changed within a week.",
  category: "crypto-market",
  tags: ["sectors", "rotation", "relative-strength", "momentum", "breadth"],
  search: [
    "which crypto sector is leading",
    "sector rotation",
    "DeFi AI memes sectors",
    "rotação de setores",
    "qual setor cripto lidera",
    "best performing sector",
    "narratives",
    "crypto narratives",
  ],
  price_usd: "0.15",
  params: Type.Object({}, closed),
  data: SectorRotationSchema,
  example,
  gist,
  providers: [...VENUES, ...MARKET_CAP_PROVIDERS],
  requires: [VENUES],
  ttl: "1h",
  max_age: "25h",
  deadline_ms: 12_000,
  preview: {
    rowCharts: drawQuadrants,
    every: "24h",
    delay: "1d",
    rewind: rewindSectorRotation,
    redact: redactSectorRotation,
  },
  fetch: fetchSectorRotation,
  compute: computeSectorRotation,
});
