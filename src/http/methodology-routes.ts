import { renderTime } from "../core/clock.ts";
import type { NotedChanges } from "../pages/changes/changes.ts";
import { listDigestChanges, type MethodFamily, renderMethod, renderMethodology } from "../pages/methodology.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { wantsPage } from "./accept.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { chooseWords } from "./language.ts";
import { createNoSuchPath } from "./no-such-path.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface MethodologyRouteOptions {
  readonly responder: Responder;
  readonly model: () => SurfaceModel;
  readonly families: readonly MethodFamily[];
  /** Changes of the catalog and of methods, newest first. */
  readonly readChanges: () => Promise<readonly NotedChanges[]>;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

/** How figures are made: an index and a page per family; as JSON the Markdown of each. */
export function createMethodologyRoutes(options: MethodologyRouteOptions): readonly FreeRoute[] {
  const { responder, model, families, stamp } = options;
  const json = createJSONAnswer(responder, "public, max-age=300");
  const answer = async (http_call: HTTPCall, family: MethodFamily | null): Promise<Response> => {
    const { request, request_id, search } = http_call;
    const changes = family === null ? [] : listDigestChanges(await options.readChanges(), family);
    if (!wantsPage(request.headers.get("accept"))) {
      const told = changes.map(({ at_ms, ...change }) => ({ at: renderTime(at_ms), ...change }));
      const shown =
        family === null ? { families: families.map(({ id, title }) => ({ id, title })) } : { ...family, changes: told };
      return json(http_call, { ...stamp(), ...shown });
    }
    const words = chooseWords(search, request.headers.get("accept-language"));
    const view = { model: model(), words };
    const body =
      family === null ? renderMethodology({ ...view, families }) : renderMethod({ ...view, changes }, family);
    const page = keep({ content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS }, responder);
    return send(page, request, request_id);
  };
  const show = async (http_call: HTTPCall): Promise<Response> => {
    const { pathname } = new URL(http_call.request.url);
    const id = pathname.split("/")[2];
    const family = families.find((one) => one.id === id);
    if (!family)
      throw createNoSuchPath(
        "There is no such family of methods.",
        pathname,
        families.map((one) => `/methodology/${one.id}`),
      );
    return answer(http_call, family);
  };
  return [
    { path: "/methodology", methods: ["GET"], handler: (http_call) => answer(http_call, null) },
    { path: "/methodology/:id", methods: ["GET"], handler: show },
  ];
}
