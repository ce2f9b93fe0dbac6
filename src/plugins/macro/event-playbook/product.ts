import { defineProduct, exampleOf, getOwn, NodeError, type OfferedValues } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { ecb } from "intel-node/providers/ecb/provider";
import { fred } from "intel-node/providers/fred/provider";
import { bea } from "../providers/bea/provider.ts";
import { bls } from "../providers/bls/provider.ts";
import { fredApi } from "../providers/fred-api/provider.ts";
import { isReleaseKind, RELEASE_CALENDARS } from "../releases/release-dates.ts";
import { drawEventWindows } from "./charts.ts";
import { computeEventPlaybook } from "./compute.ts";
import { ALIASES, EVENTS, type EventId, getEvent } from "./events.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchEventPlaybook } from "./fetch.ts";
import { gist } from "./gist.ts";
import { EventPlaybookParams, EventPlaybookSchema } from "./schema.ts";

function eventOf({ event = "fomc" }: { readonly event?: string | undefined }): EventId {
  const id = EVENTS.find((one) => one === (getOwn(ALIASES, event) ?? event));
  if (!id) throw new NodeError("invalid_parameter", `no study of "${event}"`, { details: { parameter: "event" } });
  return id;
}
/** Events without a table are sold where a calendar lists their days. */
const EVENTS_SOLD: OfferedValues = {
  whyNot(value, node) {
    const { kind, dates } = getEvent(eventOf({ event: value }));
    return dates.length > 0 || !isReleaseKind(kind) ? null : node.whyNone(RELEASE_CALENDARS[kind]);
  },
};
const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

const example = exampleOf({ event: "fomc" }, made);

export const product = defineProduct({
  path: "/event-playbook",
  title: "Event playbook",
  description:
    "How currencies, US yields, oil, gold, BTC and ETH moved around FOMC, ECB, CPI, payroll, PPI, GDP, PCE, retail " +
    "sales and jobless claims days: mean, median, hit rate, t, p values adjusted for all tests, size against " +
    "ordinary days, subsets by trend and the next date - with a plain statement when there is no edge.",
  category: "macro",
  tags: ["event-study", "fomc", "cpi", "payrolls", "statistics"],
  search: [
    "how does the market react to CPI",
    "market reaction to FOMC",
    "what happens after Fed meeting",
    "payrolls effect",
    "event study",
    "reação ao CPI",
    "como o mercado reage ao FOMC",
    "reação do mercado ao payroll",
    "bitcoin after CPI",
  ],
  price_usd: "0.25",
  params: EventPlaybookParams,
  normalise: ({ event, detail }) => ({ event: eventOf({ event }), ...(detail === undefined ? {} : { detail }) }),
  offers: { event: EVENTS_SOLD },
  data: EventPlaybookSchema,
  long: ["conditional", "events"],
  example,
  gist,
  providers: [ecb, fred, bls, bea, fredApi, ...VENUES],
  requires: [[ecb, fred], VENUES],
  ttl: "6h",
  max_age: "5d",
  deadline_ms: 8_000,
  preview: {
    every: "7d",
    delay: "7d",
    redact: (data) => ({ ...data, assets: data.assets.slice(0, 1), conditional: null, current_conditions: null }),
    charts: drawEventWindows,
  },
  fetch: (context, params) => fetchEventPlaybook(context, eventOf(params)),
  compute: (inputs, { params, now_ms }) =>
    computeEventPlaybook(inputs, { event: eventOf(params), detail: params.detail ?? "summary", now_ms }),
});
