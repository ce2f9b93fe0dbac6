import { defineProduct, exampleOf } from "intel-node";
import { fred } from "intel-node/providers/fred/provider";
import { fredApi } from "../providers/fred-api/provider.ts";
import { computeMacroCalendar } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { CALENDARS, ESSENTIAL, fetchMacroCalendar } from "./fetch.ts";
import { gist } from "./gist.ts";
import { DAYS, MacroCalendarParams, MacroCalendarSchema } from "./schema.ts";

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/macro-calendar",
  title: "Macro calendar",
  description:
    "US and euro-area releases, decisions of six central banks and auctions, 7 days back and up to 14 ahead: UTC " +
    "and local times, importance, period, previous and actual numbers of official series. Dates that only follow " +
    "a rule are marked as estimates with how far off such a rule has been.",
  category: "macro",
  tags: ["calendar", "macro", "fomc", "cpi", "central-banks"],
  search: [
    "US unemployment rate",
    "desemprego nos EUA",
    "economic calendar",
    "when is the next FOMC",
    "next CPI release",
    "Fed meeting date",
    "ECB meeting",
    "when is CPI",
    "calendário econômico",
    "agenda econômica",
    "próxima reunião do Fed",
    "data do payroll",
    "economic releases this week",
    "central bank meetings",
    "Fed decision date",
    "inflation in the United States",
    "US inflation",
    "inflação nos EUA",
  ],
  price_usd: "0.03",
  params: MacroCalendarParams,
  data: MacroCalendarSchema,
  example,
  gist,
  providers: [...CALENDARS.map(({ provider }) => provider), fred, fredApi],
  requires: [ESSENTIAL],
  ttl: "5m",
  deadline_ms: 12_000,
  preview: {
    every: "24h",
    delay: "1d",
    listed: ({ events }) => ({ n: events.length, of: "events" }),
    redact: (data) => ({ ...data, events: data.events.slice(-3) }),
  },
  fetch: fetchMacroCalendar,
  compute: (inputs, { params, now_ms }) => computeMacroCalendar(inputs, now_ms, params.days ?? DAYS.default),
});
