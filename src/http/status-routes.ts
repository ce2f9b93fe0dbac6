import type { Clock } from "../core/clock.ts";
import { renderTime } from "../core/clock.ts";
import { keepFor } from "../core/keep-for.ts";
import type { HealthFacts } from "../pages/status.ts";
import { FEED_PATH, renderIncidentFeed } from "../pages/uptime/feed.ts";
import { renderStatusPage } from "../pages/uptime/page.ts";
import { type StatusPast, sumUp, type TimedSample } from "../pages/uptime/samples.ts";
import type { StatusLists } from "../pages/uptime/tables.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { wantsPage } from "./accept.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface StatusRouteOptions {
  readonly responder: Responder;
  readonly clock: Clock;
  readonly model: () => SurfaceModel;
  readonly readHealth: () => Promise<HealthFacts>;
  /** Samples of 90 days, oldest first. */
  readonly readSamples: () => Promise<readonly TimedSample[]>;
  readonly readLists: () => StatusLists;
  readonly started_at_ms: number;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

/** Some ten thousand samples: read once in so long. */
const KEPT_MS = 60_000;

/** `/status` as page and JSON, and the feed of incidents. */
export function createStatusRoutes(options: StatusRouteOptions): readonly FreeRoute[] {
  const { responder, clock, model, stamp } = options;
  const json = createJSONAnswer(responder, "no-cache");
  const read = keepFor(KEPT_MS, clock.now, async () => sumUp(await options.readSamples(), clock.now()));

  const show = async (http_call: HTTPCall): Promise<Response> => {
    const { request, request_id, search } = http_call;
    const [past, health] = await Promise.all([read(), options.readHealth()]);
    if (!wantsPage(request.headers.get("accept"))) {
      return json(http_call, { ...stamp(), ...renderTwin(past, health, options.readLists()) });
    }
    const words = chooseWords(search, request.headers.get("accept-language"));
    const { renderLatency } = await import("../pages/uptime/latency.ts");
    const latency = renderLatency(past.days, words);
    const seen = { past, health, latency, lists: options.readLists(), now_ms: clock.now() };
    const body = renderStatusPage({ model: model(), ...seen, words });
    const page = keep({ content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS }, responder);
    return send(page, request, request_id);
  };
  const showFeed = async ({ request, request_id }: HTTPCall): Promise<Response> => {
    const body = renderIncidentFeed(model().node, (await read()).incidents, options.started_at_ms);
    return send(keep({ content_type: "application/atom+xml; charset=utf-8", body }, responder), request, request_id);
  };
  return [
    { path: "/status", methods: ["GET"], handler: show },
    { path: FEED_PATH, methods: ["GET"], handler: showFeed },
  ];
}

const renderCounts = (counts: StatusPast["products"]) =>
  Object.fromEntries([...counts].map(([name, { answered, failed }]) => [name, { answered, failed }]));

function renderTwin(
  { uptime, days, incidents, ...past }: StatusPast,
  { ok, reasons }: HealthFacts,
  lists: StatusLists,
) {
  return {
    ok,
    reasons,
    uptime,
    days: days.map(({ day_ms, ...day }) => ({ day: renderTime(day_ms).slice(0, 10), ...day })),
    incidents: incidents.map(({ state, from_ms, to_ms, reasons: told }) => ({
      state,
      from: renderTime(from_ms),
      to: to_ms === null ? null : renderTime(to_ms),
      reasons: told,
    })),
    products: renderCounts(past.products),
    sources: renderCounts(past.sources),
    unavailable: [...lists.unavailable].map(([path, why]) => ({ path, why })),
    not_sold: lists.withheld.map(({ path, for_buyers }) => ({ path, why: for_buyers })),
    feed: FEED_PATH,
  };
}
