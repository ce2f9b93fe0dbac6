import type { Catalog } from "../catalog/catalog.ts";
import type { Clock } from "../core/clock.ts";
import { renderDocs, renderProductDocs } from "../pages/docs.ts";
import { GUIDE_SEARCH_PATH, renderGuidePage, renderGuideSearch } from "../pages/guide.ts";
import { type HomeFacts, renderHome } from "../pages/home.ts";
import { PRODUCT_PAGE_HEADERS } from "../pages/layout.ts";
import type { ProductFacts } from "../pages/product/facts.ts";
import { renderProductPage } from "../pages/product/page.ts";
import type { Words } from "../pages/words.ts";
import { docsPath, productPagePath } from "../surfaces/docs-path.ts";
import { listGuidePages } from "../surfaces/guide/pages.ts";
import { searchGuide } from "../surfaces/guide/search.ts";
import { productSearchOf } from "../surfaces/product-search.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import { wantsJSON } from "./accept.ts";
import { redirect } from "./app.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler } from "./http-call.ts";
import { chooseWords } from "./language.ts";
import { createNoSuchPath, refuseOffPage } from "./no-such-path.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import type { PaymentPage } from "./product-routes.ts";
import type { Responder } from "./respond.ts";
import { type KeptSurface, keep, send } from "./surface-routes.ts";

export interface PageRouteOptions {
  readonly responder: Responder;
  readonly clock: Clock;
  /** What the documents were last rendered from: another object whenever they were rendered again. */
  readonly model: () => SurfaceModel;
  readonly facts: (words: Words) => Promise<HomeFacts>;
  readonly readProduct: ReadProduct;
  /** What is switched off; nothing unless given. */
  readonly off?: () => Catalog["off"];
}

/** What a product's page shows besides its definition; the same object for some seconds. */
export type ReadProduct = (product: SurfaceProduct, words: Words) => Promise<ProductFacts>;

/** The first page shows figures of the books: a flood of requests renders it once a second. */
const HOME_KEPT_MS = 1_000;
const QUERY_CHARS_MAX = 100;

const readQuery = (search: string): string =>
  (new URLSearchParams(search).get("q") ?? "").trim().slice(0, QUERY_CHARS_MAX);

const HTML = "text/html; charset=utf-8";

const TWIN_HEADERS = { "Cache-Control": "no-cache", Vary: "Accept, Accept-Encoding" };
const toFound = ({ id, path, title, price_usd }: SurfaceProduct) => ({ product: id, path, title, price_usd });

/** Pages for people: server-rendered, whole without script, from memory. */
export function createPageRoutes(options: PageRouteOptions): readonly FreeRoute[] {
  const { responder, clock, model, facts, readProduct, off = () => [] } = options;
  const page = (body: string): KeptSurface =>
    keep({ content_type: HTML, body, headers: PAGE_RESPONSE_HEADERS }, responder);

  let home: { of: SurfaceModel; at_ms: number; pages: Map<Words, KeptSurface> } | null = null;
  const currentHome = async (words: Words): Promise<KeptSurface> => {
    const [of, now_ms] = [model(), clock.now()];
    if (home === null || home.of !== of || now_ms < home.at_ms || now_ms - home.at_ms >= HOME_KEPT_MS) {
      home = { of, at_ms: now_ms, pages: new Map() };
    }
    const { pages } = home;
    const known = pages.get(words) ?? page(renderHome({ model: of, facts: await facts(words), words }));
    pages.set(words, known);
    return known;
  };

  const findBest = (query: string): readonly SurfaceProduct[] => productSearchOf(model()).findBest(query);

  /** Each page of the reference is rendered when it is asked for, once per state of the catalog. */
  let docs: { of: SurfaceModel; pages: Map<string, KeptSurface> } | null = null;
  const showDocs: Handler = ({ request, request_id, search }) => {
    const of = model();
    if (docs?.of !== of) docs = { of, pages: new Map() };
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/")) return redirect(responder, pathname.replace(/\/+$/, ""))({ search, request_id });
    const words = chooseWords(search, request.headers.get("accept-language"));
    const key = `${words.language} ${words.is_chosen} ${pathname}`;
    const known =
      docs.pages.get(key) ??
      (pathname.startsWith("/guide/") ? showTask(pathname, of, words) : renderReference(pathname, of, words));
    docs.pages.set(key, known);
    return send(known, request, request_id);
  };
  const renderReference = (pathname: string, of: SurfaceModel, words: Words): KeptSurface => {
    if (pathname === "/docs") return page(renderDocs(of, words));
    const product = of.products.find((one) => docsPath(one) === pathname);
    if (!product) {
      const none = () => createNoSuchPath("The reference has no such page.", pathname, of.products.map(docsPath));
      throw refuseOffPage(off(), docsPath, pathname) ?? none();
    }
    return page(renderProductDocs(product, of, words));
  };

  const showTask = (pathname: string, of: SurfaceModel, words: Words): KeptSurface => {
    const pages = listGuidePages(of);
    const task = pages.find(({ path }) => path === pathname);
    if (!task) {
      const paths = pages.map(({ path }) => path);
      throw createNoSuchPath("The guide has no such page.", pathname, paths);
    }
    return page(renderGuidePage(of, task, words));
  };
  const searchTasks: Handler = ({ request, request_id, search }) => {
    const of = model();
    const query = readQuery(search);
    const words = chooseWords(search, request.headers.get("accept-language"));
    const found = query === "" ? [] : searchGuide(listGuidePages(of), query);
    return send(page(renderGuideSearch(of, { query, found }, words)), request, request_id);
  };

  const showHome: Handler = async ({ request, request_id, search }) => {
    const { headers } = request;
    const query = readQuery(search);
    if (wantsJSON(headers.get("accept"))) {
      const products = query === "" ? model().products : findBest(query);
      const body = JSON.stringify({ query, products: products.map(toFound), all: "/get-pricing" });
      return send(
        keep({ content_type: "application/json", body, headers: TWIN_HEADERS }, responder),
        request,
        request_id,
      );
    }
    const words = chooseWords(search, headers.get("accept-language"));
    if (query === "") return send(await currentHome(words), request, request_id);
    const found = { query, products: findBest(query) };
    return send(page(renderHome({ model: model(), facts: await facts(words), words, found })), request, request_id);
  };
  /** Rendered anew when the facts are: a flood of requests renders each page once in some seconds. */
  const products = new WeakMap<ProductFacts, Map<Words, KeptSurface>>();
  const showProduct: Handler = async ({ request, request_id, search }) => {
    const of = model();
    const { pathname } = new URL(request.url);
    const product = of.products.find((one) => productPagePath(one) === pathname);
    if (!product) {
      const none = () => createNoSuchPath("There is no such product.", pathname, of.products.map(productPagePath));
      throw refuseOffPage(off(), productPagePath, pathname) ?? none();
    }
    const words = chooseWords(search, request.headers.get("accept-language"));
    const known_facts = await readProduct(product, words);
    const kept = products.get(known_facts) ?? new Map<Words, KeptSurface>();
    products.set(known_facts, kept);
    const shown = kept.get(words) ?? page(renderProductPage({ model: of, product, facts: known_facts, words }));
    kept.set(words, shown);
    return send(shown, request, request_id);
  };

  return [
    { path: "/p/*", methods: ["GET"], handler: showProduct },
    { path: "/", methods: ["GET"], handler: showHome },
    { path: "/docs", methods: ["GET"], handler: showDocs },
    { path: "/docs/*", methods: ["GET"], handler: showDocs },
    { path: GUIDE_SEARCH_PATH, methods: ["GET"], handler: searchTasks },
    { path: "/guide/*", methods: ["GET"], handler: showDocs },
  ];
}

export interface PaymentPageRouteOptions {
  readonly model: () => SurfaceModel;
  readonly readProduct: ReadProduct;
}

/** The 402 for browsers: the product's page, with the status, the header and the reason of the refusal. */
export function createPaymentPage({ model, readProduct }: PaymentPageRouteOptions): PaymentPage {
  return {
    async render(product, { request_id, refusal, words }) {
      const of = model();
      const shown = of.products.find(({ id }) => id === product.id);
      if (!shown) return null;
      const fault = refusal ? { code: refusal.code, message: refusal.message } : null;
      const facts = await readProduct(shown, words);
      return renderProductPage({ model: of, product: shown, facts, words, refused: { request_id, fault } });
    },
    headers: {
      "Content-Type": HTML,
      ...PRODUCT_PAGE_HEADERS,
      Vary: "Accept, Accept-Encoding, Accept-Language",
    },
  };
}
