import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ChartSample } from "../catalog/previews.ts";
import type { Clock } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { renderDocs, renderProductDocs } from "../pages/docs.ts";
import { type HomeFacts, renderHome } from "../pages/home.ts";
import type { Html } from "../pages/html.ts";
import { PAGE_HEADERS } from "../pages/layout.ts";
import { renderNotFound } from "../pages/not-found.ts";
import { renderPaymentPage } from "../pages/payment-required.ts";
import { docsPath } from "../surfaces/docs-path.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { redirect } from "./app.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler, HTTPCall } from "./http-call.ts";
import type { PaymentPage } from "./product-routes.ts";
import type { Responder } from "./respond.ts";
import { type Kept, keep, send } from "./surface-routes.ts";

export interface PageRouteOptions {
  readonly responder: Responder;
  readonly clock: Clock;
  /** What the documents were last rendered from: another object whenever they were rendered again. */
  readonly model: () => SurfaceModel;
  readonly facts: () => Promise<HomeFacts>;
}

/** The first page shows figures of the books: a flood of requests renders it once a second. */
const HOME_KEPT_MS = 1_000;
const QUERY_CHARS_MAX = 100;

const HTML = "text/html; charset=utf-8";

/** Nothing is kept by browsers without asking: the first page changes with every sale. */
const SERVED_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  "Cache-Control": "no-cache",
  Link: '</llms.txt>; rel="describedby"; type="text/markdown"',
};

/** Pages for people: server-rendered, whole without script, from memory. */
export function createPageRoutes({ responder, clock, model, facts }: PageRouteOptions): readonly FreeRoute[] {
  const page = (body: string): Kept => keep({ content_type: HTML, body, headers: SERVED_HEADERS }, responder);

  let home: { of: SurfaceModel; at_ms: number; page: Kept } | null = null;
  const currentHome = async (): Promise<Kept> => {
    const [of, now_ms] = [model(), clock.now()];
    if (home === null || home.of !== of || now_ms < home.at_ms || now_ms - home.at_ms >= HOME_KEPT_MS) {
      home = { of, at_ms: now_ms, page: page(renderHome({ model: of, facts: await facts(), query: "" })) };
    }
    return home.page;
  };

  /** Each page of the reference is rendered when it is asked for, once per state of the catalog. */
  let docs: { of: SurfaceModel; pages: Map<string, Kept> } | null = null;
  const showDocs: Handler = ({ request, request_id, search }) => {
    const of = model();
    if (docs?.of !== of) docs = { of, pages: new Map() };
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/")) return redirect(responder, pathname.replace(/\/+$/, ""))({ search, request_id });
    const known = docs.pages.get(pathname) ?? renderReference(pathname, of);
    docs.pages.set(pathname, known);
    return send(known, request, request_id);
  };
  const renderReference = (pathname: string, of: SurfaceModel): Kept => {
    if (pathname === "/docs") return page(renderDocs(of));
    const product = of.products.find((one) => docsPath(one) === pathname);
    if (!product) throw new NodeError("not_found", "The reference has no such page.");
    return page(renderProductDocs(product, of));
  };

  const showHome: Handler = async ({ request, request_id, search }) => {
    const query = (new URLSearchParams(search).get("q") ?? "").trim().slice(0, QUERY_CHARS_MAX);
    const shown =
      query === "" ? await currentHome() : page(renderHome({ model: model(), facts: await facts(), query }));
    return send(shown, request, request_id);
  };
  return [
    { path: "/", methods: ["GET"], handler: showHome },
    { path: "/docs", methods: ["GET"], handler: showDocs },
    { path: "/docs/*", methods: ["GET"], handler: showDocs },
  ];
}

/** The 404 for browsers. */
export function createNotFoundPage(responder: Responder, model: () => SurfaceModel): (http_call: HTTPCall) => Response {
  let kept: { of: SurfaceModel; page: Kept } | null = null;
  return ({ request, request_id }) => {
    const of = model();
    if (kept?.of !== of) {
      kept = { of, page: keep({ content_type: HTML, body: renderNotFound(of), headers: SERVED_HEADERS }, responder) };
    }
    const sent = send(kept.page, request, request_id);
    const { body, headers } = sent;
    headers.delete("ETag");
    return new Response(body, { status: 404, headers });
  };
}

export interface PaymentPageRouteOptions {
  readonly model: () => SurfaceModel;
  /** Charts of a product's free preview; the same object while they are the same. */
  readonly findCharts: (product: CatalogProduct) => ChartSample | null;
  /** Told when charts cannot be drawn; the page comes without them. */
  readonly onFault: (product: CatalogProduct, error: unknown) => void;
}

/** The 402 for browsers. */
export function createPaymentPage({ model, findCharts, onFault }: PaymentPageRouteOptions): PaymentPage {
  const drawn = new WeakMap<ChartSample, Html | "">();

  /** Each is drawn once; what draws is loaded with the first. */
  const drawCharts = async (product: CatalogProduct, preview_delay_s: number): Promise<Html | ""> => {
    try {
      const sample = findCharts(product);
      if (sample === null) return "";
      const known = drawn.get(sample);
      if (known !== undefined) return known;
      const { renderCharts } = await import("../pages/charts/figures.ts");
      const made = renderCharts({ sample, sandbox: model().sandbox, preview_delay_s });
      drawn.set(sample, made);
      return made;
    } catch (error) {
      onFault(product, error);
      return "";
    }
  };

  return {
    async render(product, request_id, refusal) {
      const of = model();
      const shown = of.products.find(({ id }) => id === product.id);
      if (!shown) return null;
      const fault = refusal ? { code: refusal.code, message: refusal.message } : null;
      const charts = await drawCharts(product, shown.preview_delay_s);
      return renderPaymentPage({ model: of, product: shown, request_id, fault, charts });
    },
    headers: {
      "Content-Type": HTML,
      ...PAGE_HEADERS,
      Vary: "Accept, Accept-Encoding",
    },
  };
}
