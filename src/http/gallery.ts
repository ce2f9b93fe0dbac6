import { GALLERY_PATH } from "../pages/charts/gallery-path.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import type { Responder } from "./respond.ts";

interface GalleryOptions {
  readonly responder: Responder;
  readonly model: () => SurfaceModel;
}

/** `/__sandbox/gallery`: every kind of chart; null for any other request. What draws is loaded when it is asked for. */
export function createGallery({ responder, model }: GalleryOptions): (request: Request) => Promise<Response | null> {
  const headers = responder.headers({ ...PAGE_RESPONSE_HEADERS, "Content-Type": "text/html; charset=utf-8" });
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname !== GALLERY_PATH || request.method !== "GET") return null;
    const { renderGallery } = await import("../pages/charts/gallery.ts");
    return new Response(renderGallery(model(), chooseWords(search.slice(1), null)), { headers });
  };
}
