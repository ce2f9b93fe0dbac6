import { getOwn } from "../core/own.ts";
import { DATA_PAGES, renderDataPage } from "../pages/data-pages.ts";
import { TEXT_PAGES, type TextPage } from "../pages/text-pages.ts";
import type { Words } from "../pages/words.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { readAccept, wantsPage } from "./accept.ts";
import type { FreeRoute } from "./free-route.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import type { Responder } from "./respond.ts";
import { CACHE, type KeptSurface, keep, send } from "./surface-routes.ts";

const HTML = "text/html; charset=utf-8";
/** Prose that follows from the catalog is kept by readers as the catalog's other documents are. */
const DOCUMENT_HEADERS = { ...PAGE_RESPONSE_HEADERS, "Cache-Control": CACHE };

/** Gives the free answers that people may read a page; for software nothing changes. */
export const dressRoutes = (
  routes: readonly FreeRoute[],
  responder: Responder,
  model: () => SurfaceModel,
): readonly FreeRoute[] => {
  const dressed = dressAnswers(routes, responder, model);
  return dressed.map((route) => {
    const page = getOwn(TEXT_PAGES, route.path);
    return page ? { ...route, handler: dressText(route, page, { responder, model }) } : route;
  });
};

/** Whether the page is the form that Accept likes best. */
function isPageAsked(accept: string | null, { is_default }: TextPage): boolean {
  if (!is_default) return wantsPage(accept);
  const qualityOf = readAccept(accept);
  if (qualityOf === null) return true;
  return ["application/json", "text/markdown"].every((type) => qualityOf("text/html") >= qualityOf(type));
}

interface DressParts {
  readonly responder: Responder;
  readonly model: () => SurfaceModel;
}

/** A document of prose: its page is rendered once per state of the catalog and language. */
function dressText({ handler }: FreeRoute, page: TextPage, { responder, model }: DressParts): FreeRoute["handler"] {
  const kept = new WeakMap<SurfaceModel, Map<Words, KeptSurface>>();
  const show: FreeRoute["handler"] = (http_call) => {
    const { request, request_id, search } = http_call;
    if (!isPageAsked(request.headers.get("accept"), page)) return handler(http_call);
    const words = chooseWords(search, request.headers.get("accept-language"));
    const of = model();
    const pages = kept.get(of) ?? new Map<Words, KeptSurface>();
    kept.set(of, pages);
    const known =
      pages.get(words) ??
      keep({ content_type: HTML, body: page.render(of, words), headers: DOCUMENT_HEADERS }, responder, of);
    pages.set(words, known);
    return send(known, request, request_id);
  };
  return dress(show, handler);
}

/** What a handler says of itself holds for the dressed one, but that it answers software's requests at once. */
function dress(dressed: FreeRoute["handler"], { atOnce: _, ...about }: FreeRoute["handler"]): FreeRoute["handler"] {
  return Object.assign(dressed, about);
}

/** Answers that are the same as data and as a page: the page is made from the data. */
const dressAnswers = (
  routes: readonly FreeRoute[],
  responder: Responder,
  model: () => SurfaceModel,
): readonly FreeRoute[] =>
  routes.map((route) => {
    const { path, handler } = route;
    if (!Object.hasOwn(DATA_PAGES, path)) return route;
    const dressed: FreeRoute["handler"] = async (http_call) => {
      const { request, request_id, search } = http_call;
      const is_asked = request.method === "GET" && wantsPage(request.headers.get("accept"));
      if (!is_asked) return handler(http_call);
      const words = chooseWords(search, request.headers.get("accept-language"));
      // The language is the page's parameter, and none of the answer's.
      const own = new URLSearchParams(search);
      own.delete("lang");
      const answer = await handler({ ...http_call, search: own.toString() });
      if (answer.status !== 200) return answer;
      const body = renderDataPage({ model: model(), path, data: await answer.json(), words });
      const page = keep({ content_type: HTML, body, headers: PAGE_RESPONSE_HEADERS }, responder);
      return send(page, request, request_id);
    };
    return { ...route, handler: dress(dressed, handler) };
  });
