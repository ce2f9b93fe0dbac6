import type { Catalog } from "../catalog/catalog.ts";
import type { Clock } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { keepFor } from "../core/keep-for.ts";
import { type CardFigure, cardPath, HOME_CARD_PATH, renderCard, renderHomeCard } from "../pages/product/card.ts";
import { ENGLISH } from "../pages/words.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import type { FreeRoute } from "./free-route.ts";
import { createNoSuchPath, refuseOffPage } from "./no-such-path.ts";
import type { ReadProduct } from "./page-routes.ts";
import type { Responder } from "./respond.ts";
import { type KeptSurface, keep, send } from "./surface-routes.ts";

export interface PictureRouteOptions {
  readonly responder: Responder;
  readonly clock: Clock;
  readonly model: () => SurfaceModel;
  readonly readProduct: ReadProduct;
  /** The figures that the first page shows first. */
  readonly readFigures: () => Promise<readonly CardFigure[]>;
  /** What is switched off; nothing unless given. */
  readonly off?: () => Catalog["off"];
  /** SVG as PNG; null when it cannot be drawn now. */
  readonly draw: (svg: string) => Promise<Uint8Array | null>;
}

/** Builders of link previews keep them for days: a figure of this age is new to them. */
const KEPT_MS = 600_000;
const RETRY_S = 10;

/** `/og/<product>.png`: what link previews of a product, or of the first page, show; drawn once in ten minutes each. */
export function createPictureRoutes(options: PictureRouteOptions): readonly FreeRoute[] {
  const { responder, clock, model, readProduct } = options;
  const drawProduct = async (product: SurfaceProduct): Promise<KeptSurface> =>
    drawSVG(renderCard(model(), product, await readProduct(product, ENGLISH)));
  const drawSVG = async (svg: string): Promise<KeptSurface> => {
    const body = await options.draw(svg);
    if (body) return keep({ content_type: "image/png", body }, responder);
    throw new NodeError("rate_limited", "Too many pictures are being drawn.", { retry_after_s: RETRY_S });
  };
  const readHome = keepFor(KEPT_MS, clock.now, async () =>
    drawSVG(renderHomeCard(model(), await options.readFigures())),
  );
  /** By id: no more than there are products. */
  const pictures = new Map<string, () => Promise<KeptSurface>>();
  return [
    {
      path: "/og/*",
      methods: ["GET"],
      handler: async ({ request, request_id }) => {
        const { pathname } = new URL(request.url);
        if (pathname === HOME_CARD_PATH) return send(await readHome(), request, request_id);
        const find = () => model().products.find((one) => cardPath(one) === pathname);
        const product = find();
        if (!product) {
          const none = () => createNoSuchPath("There is no such picture.", pathname, model().products.map(cardPath));
          throw refuseOffPage(options.off?.() ?? [], cardPath, pathname) ?? none();
        }
        const read = pictures.get(product.id) ?? keepFor(KEPT_MS, clock.now, () => drawProduct(find() ?? product));
        pictures.set(product.id, read);
        return send(await read(), request, request_id);
      },
    },
  ];
}
