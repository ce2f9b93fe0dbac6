import { renderTime } from "../core/clock.ts";
import type { NotedChanges } from "../pages/changes/changes.ts";
import {
  findMethod,
  listDigestChanges,
  METHODOLOGY_PATH,
  type MethodFamily,
  methodPath,
  renderMethod,
  renderMethodology,
} from "../pages/methodology.ts";
import type { WorkedSample } from "../pages/methods/worked.ts";
import type { Words } from "../pages/words.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
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
  readonly families: () => readonly MethodFamily[];
  /** The free answer that an example is worked out on; null before the first. */
  readonly readSample: (product: SurfaceProduct, words: Words) => Promise<WorkedSample | null>;
  /** Changes of the catalog and of methods, newest first. */
  readonly readChanges: () => Promise<readonly NotedChanges[]>;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

/** How figures are made: an index and a page per method; as JSON the Markdown of each. */
export function createMethodologyRoutes(options: MethodologyRouteOptions): readonly FreeRoute[] {
  const { responder, model, families, readSample, stamp } = options;
  const json = createJSONAnswer(responder, "public, max-age=300");
  const page = (body: string) =>
    keep({ content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS }, responder);
  const showIndex = async (http_call: HTTPCall): Promise<Response> => {
    const { request, request_id, search } = http_call;
    if (!wantsPage(request.headers.get("accept"))) {
      return json(http_call, { ...stamp(), families: families().map(({ id, title }) => ({ id, title })) });
    }
    const words = chooseWords(search, request.headers.get("accept-language"));
    return send(page(renderMethodology({ model: model(), families: families(), words })), request, request_id);
  };
  const showMethod = async (http_call: HTTPCall, family: MethodFamily): Promise<Response> => {
    const { request, request_id, search } = http_call;
    const changes = listDigestChanges(await options.readChanges(), family);
    if (!wantsPage(request.headers.get("accept"))) {
      const told = changes.map(({ at_ms, ...change }) => ({ at: renderTime(at_ms), ...change }));
      const { is_named: _, ...shown } = family;
      return json(http_call, { ...stamp(), ...shown, changes: told });
    }
    const words = chooseWords(search, request.headers.get("accept-language"));
    const of = model();
    const [first] = of.products.filter(({ id }) => family.products.includes(id));
    const sample = first ? await readSample(first, words) : null;
    return send(page(renderMethod({ model: of, words, changes, sample }, family)), request, request_id);
  };
  const show = async (http_call: HTTPCall): Promise<Response> => {
    const { pathname } = new URL(http_call.request.url);
    const family = findMethod(families(), pathname.slice(METHODOLOGY_PATH.length + 1));
    if (family) return showMethod(http_call, family);
    throw createNoSuchPath("There is no such family of methods.", pathname, families().map(methodPath));
  };
  return [
    { path: METHODOLOGY_PATH, methods: ["GET"], handler: showIndex },
    { path: `${METHODOLOGY_PATH}/*`, methods: ["GET"], handler: show },
  ];
}
