import type { Clock } from "../core/clock.ts";
import { renderTime } from "../core/clock.ts";
import { keepFor } from "../core/keep-for.ts";
import type { NotedChanges } from "../pages/changes/changes.ts";
import { CHANGES_FEED_PATH, CHANGES_PATH, renderChangesFeed, renderChangesPage } from "../pages/changes/page.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { wantsPage } from "./accept.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface ChangesRouteOptions {
  readonly responder: Responder;
  readonly clock: Clock;
  readonly model: () => SurfaceModel;
  /** Newest first. */
  readonly readChanges: () => Promise<readonly NotedChanges[]>;
  readonly started_at_ms: number;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

/** The record changes a few times a year: a flood of requests reads it once in so long. */
const KEPT_MS = 10_000;

/** `/changes` as page and JSON, and the same as a feed. */
export function createChangesRoutes(options: ChangesRouteOptions): readonly FreeRoute[] {
  const { responder, clock, model, stamp } = options;
  const json = createJSONAnswer(responder, "no-cache");
  const read = keepFor(KEPT_MS, clock.now, options.readChanges);
  const show = async (http_call: HTTPCall): Promise<Response> => {
    const { request, request_id, search } = http_call;
    const noted = await read();
    if (!wantsPage(request.headers.get("accept"))) {
      const changes = noted.map((one) => ({ at: renderTime(one.at_ms), changes: one.changes }));
      return json(http_call, { ...stamp(), changes, feed: CHANGES_FEED_PATH });
    }
    const words = chooseWords(search, request.headers.get("accept-language"));
    const body = renderChangesPage({ model: model(), noted, words });
    const page = keep({ content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS }, responder);
    return send(page, request, request_id);
  };
  const showFeed = async ({ request, request_id }: HTTPCall): Promise<Response> => {
    const body = renderChangesFeed(model().node, await read(), options.started_at_ms);
    return send(keep({ content_type: "application/atom+xml; charset=utf-8", body }, responder), request, request_id);
  };
  return [
    { path: CHANGES_PATH, methods: ["GET"], handler: show },
    { path: CHANGES_FEED_PATH, methods: ["GET"], handler: showFeed },
  ];
}
