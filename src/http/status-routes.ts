import type { Clock } from "../core/clock.ts";
import { renderTime } from "../core/clock.ts";
import { keepFor } from "../core/keep-for.ts";
import type { HealthFacts } from "../pages/status.ts";
import { FEED_PATH, renderIncidentFeed } from "../pages/uptime/feed.ts";
import { renderStatusPage } from "../pages/uptime/page.ts";
import { countDays, findIncidents, rateUptime, type TimedSample } from "../pages/uptime/samples.ts";
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
  const read = keepFor(KEPT_MS, clock.now, options.readSamples);

  const show = async (http_call: HTTPCall): Promise<Response> => {
    const { request, request_id, search } = http_call;
    const [samples, health] = await Promise.all([read(), options.readHealth()]);
    const now_ms = clock.now();
    if (!wantsPage(request.headers.get("accept"))) {
      return json(http_call, { ...stamp(), ...renderTwin(samples, health, now_ms) });
    }
    const words = chooseWords(search, request.headers.get("accept-language"));
    const body = renderStatusPage({ model: model(), health, samples, now_ms, words });
    const page = keep({ content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS }, responder);
    return send(page, request, request_id);
  };
  const showFeed = async ({ request, request_id }: HTTPCall): Promise<Response> => {
    const body = renderIncidentFeed(model().node, findIncidents(await read()), options.started_at_ms);
    return send(keep({ content_type: "application/atom+xml; charset=utf-8", body }, responder), request, request_id);
  };
  return [
    { path: "/status", methods: ["GET"], handler: show },
    { path: FEED_PATH, methods: ["GET"], handler: showFeed },
  ];
}

function renderTwin(samples: readonly TimedSample[], { ok, reasons }: HealthFacts, now_ms: number) {
  return {
    ok,
    reasons,
    uptime: rateUptime(samples),
    days: countDays(samples, now_ms).map(({ day_ms, ...day }) => ({ day: renderTime(day_ms).slice(0, 10), ...day })),
    incidents: findIncidents(samples).map(({ state, from_ms, to_ms, reasons: told }) => ({
      state,
      from: renderTime(from_ms),
      to: to_ms === null ? null : renderTime(to_ms),
      reasons: told,
    })),
    feed: FEED_PATH,
  };
}
