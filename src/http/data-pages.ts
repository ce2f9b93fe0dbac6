import { DATA_PAGES, renderDataPage } from "../pages/data-pages.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { wantsPage } from "./accept.ts";
import type { FreeRoute } from "./free-route.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

/** Gives the free answers that people may read a page, from the same answer; for software nothing changes. */
export const dressRoutes = (
  routes: readonly FreeRoute[],
  responder: Responder,
  model: () => SurfaceModel,
): readonly FreeRoute[] =>
  routes.map((route) => {
    const { path, handler } = route;
    if (!(path in DATA_PAGES)) return route;
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
      const page = keep({ content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS }, responder);
      return send(page, request, request_id);
    };
    return { ...route, handler: Object.assign(dressed, handler) };
  });
