import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import { pathsOf } from "../catalog/check-product.ts";
import { asksForPreview } from "../catalog/sent-values.ts";
import { isNodeError, NodeError } from "../core/errors.ts";
import { once } from "../core/once.ts";
import type { FreeRoute } from "./free-route.ts";
import { type Handler, type HTTPCall, type HTTPCalls, pathOf } from "./http-call.ts";
import { isPaying } from "./no-charge.ts";
import { createNoSuchPath } from "./no-such-path.ts";
import { createProblemInForm } from "./problem-in-form.ts";
import type { ProblemPage } from "./problem-pages.ts";
import {
  createPreviewHandler,
  createProbeHandler,
  createProductHandler,
  type ProductRouteOptions,
} from "./product-routes.ts";
import type { Responder } from "./respond.ts";
import type { Pattern, RunRoute } from "./router.ts";

/** Runs the work of a request that was routed, and tells what came of it. */
export type RouteTrace = (
  asked: {
    readonly request: Request;
    /** The pattern of its path; undefined where nothing is served. */
    readonly route: string | undefined;
  },
  work: () => Response | Promise<Response>,
) => Response | Promise<Response>;

export interface AppOptions {
  readonly catalog: Catalog;
  readonly product: ProductRouteOptions;
  readonly free: readonly FreeRoute[];
  /** Handles every path below a prefix, such as the sandbox's control door. */
  readonly doors: readonly { readonly prefix: string; readonly handler: Handler }[];
  readonly http_calls: HTTPCalls;
  readonly responder: Responder;
  /** Errors as browsers see them. */
  readonly problem_page: ProblemPage;
  /** Put around every request but health checks; left out: nothing. */
  readonly trace?: RouteTrace | undefined;
}

/** A line of the route table. */
export interface ServedRoute {
  readonly path: string;
  readonly methods: readonly string[];
  /** Only the operator may ask it. */
  readonly is_operator: boolean;
}

export interface App {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly routes: readonly ServedRoute[];
}

/** By method: what answers; "*" all others. */
type ByMethod = ReadonlyMap<string, RunRoute>;

/** Puts every route in place. Handlers and prices are bound here; nothing looks them up by URL later. */
export function createApp(options: AppOptions): App {
  const { http_calls, responder } = options;
  const run = (handler: Handler, route?: string): RunRoute => {
    const { trace } = options;
    const answer = (request: Request, path?: string) => http_calls.run(request, handler, path);
    if (trace === undefined || handler.health) return answer;
    return (request, path) => trace({ request, route }, () => answer(request, path));
  };
  /** What no name alone leads to. */
  const patterns: Pattern[] = [];
  const mounted = new Map<string, Map<string, RunRoute>>();
  const mount = (path: string, methods: readonly string[], handler: Handler) => {
    const problem = handler.problem ?? responder.problem;
    const answered = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])];
    const known = mounted.get(path);
    const by_method = known ?? new Map<string, RunRoute>();
    // Another method of the path may have been mounted before, with its own handler.
    const before = [...by_method.keys()].filter((method) => method !== "*" && method !== "OPTIONS");
    const allow = [...new Set([...before, ...answered, "OPTIONS"])].join(", ");
    // A door with its own form of errors has no pages either.
    const page: ProblemPage = handler.problem ? () => null : options.problem_page;
    const refuse = (http_call: HTTPCall) => refuseMethod({ problem, page }, http_call, allow);
    const answer = run(handler, path);
    for (const method of answered) by_method.set(method, answer);
    by_method
      .set("OPTIONS", run(createOptions(responder, { allow, is_operators: handler.operator === true }), path))
      .set("*", run(Object.assign(refuse, { problem }), path));
    mounted.set(path, by_method);
    if (!/[:*]/.test(path)) return;
    // HEAD on its own: the router would count a body that it makes itself.
    if (methods.includes("GET")) patterns.push({ method: "HEAD", path, answer });
    if (known) return;
    patterns.push({ method: "ALL", path, answer: (request) => runOf(by_method, request)(request) });
  };

  for (const product of options.catalog.products) {
    const handler = createProductHandler(product, options.product);
    if (showsPriceToGet(product)) {
      const allow = [...product.methods, "OPTIONS"].join(", ");
      const refuse = (http_call: HTTPCall) =>
        refuseMethod({ problem: handler.problem ?? responder.problem, page: () => null }, http_call, allow);
      const probe = createProbeHandler(handler, refuse);
      mount(product.path, product.methods, handler);
      for (const method of ["GET", "HEAD"]) mounted.get(product.path)?.set(method, run(probe, product.path));
    } else {
      mount(product.path, product.methods, handler);
    }
    const { path: free_path } = product.definition.preview;
    if (free_path !== undefined) mount(free_path, ["GET"], createPreviewHandler(product, options.product));
    for (const alias of product.definition.aliases ?? []) {
      mount(alias, product.methods, redirect(options.product.responder, product.path));
    }
  }
  for (const off of options.catalog.off) {
    const handler = createOffHandler(off, options.product);
    for (const path of pathsOf(off.product.definition)) mount(path, OFF_METHODS, handler);
  }
  const inForm = createFormFinder(options);
  for (const { path, methods, handler } of options.free) mount(path, methods, inForm(path, handler));
  for (const { prefix, handler } of options.doors) {
    const answer = run(handler, prefix);
    mounted.set(prefix, new Map([["*", answer]]));
    patterns.push({ method: "ALL", path: `${prefix}/*`, answer });
  }
  const served = new Set([
    ...options.catalog.products.flatMap(({ path, definition }) => [path, ...(definition.aliases ?? [])]),
    ...options.free.map(({ path }) => path),
  ]);
  const preflightMissing = run(createOptions(responder, { allow: ANY_METHOD, is_operators: false }));
  const refuseMissing: Handler = (http_call) => {
    const { pathname } = new URL(http_call.request.url);
    const without_slash = pathname.replace(/\/+$/, "");
    if (without_slash !== pathname && served.has(without_slash)) return redirect(responder, without_slash)(http_call);
    throw createNoSuchPath("Nothing is served under this path.", without_slash, listPublic(options));
  };
  // A page whose preflight fails never reads the 404 that says where to look.
  const missing: RunRoute = (request) =>
    isPreflight(request) ? preflightMissing(request) : run(inForm(pathOf(request.url), refuseMissing))(request);
  return { fetch: createFinder(mounted, createLateRouter(patterns, missing)), routes: listRoutes(options) };
}

const OFF_METHODS = ["GET", "POST"] as const;

/**
 * Says that a product is switched off, before anything that was sent is looked at. Who lost the answer he paid for, and
 * sends the same payment, gets it all the same; nothing new is made or charged.
 */
function createOffHandler({ product, refuse }: Catalog["off"][number], options: ProductRouteOptions): Handler {
  const replay = createProductHandler(product, { ...options, page: null });
  const handler: Handler = async (http_call) => {
    const { request, search } = http_call;
    const may_have_paid = product.methods.some((method) => method === request.method) && isPaying(request.headers);
    if (!may_have_paid || asksForPreview(search)) throw refuse();
    const answer = await Promise.resolve(replay(http_call)).catch((error: unknown) => {
      throw isNodeError(error) && error.status === 422 ? refuse() : error;
    });
    if (answer.status === 402) throw refuse();
    return answer;
  };
  return Object.assign(handler, replay.problem ? { problem: replay.problem } : {});
}

/** Gives the handler of a path the form that a plugin sets for errors there, unless the path has its own form. */
function createFormFinder({ catalog, responder }: AppOptions): (path: string, handler: Handler) => Handler {
  const forms = catalog.plugins.flatMap(({ errors_below: form }) =>
    form === undefined ? [] : [{ below: form.path, problem: createProblemInForm(form.render, responder) }],
  );
  return (path, handler) => {
    const form = forms.find(({ below }) => path === below || path.startsWith(`${below}/`));
    if (form === undefined || handler.problem) return handler;
    const dressed: Handler = (http_call) => handler(http_call);
    return Object.assign(dressed, { ...handler, problem: form.problem });
  };
}

/** Whole paths that anybody may ask for. */
const listPublic = ({ catalog, free, doors }: AppOptions): readonly string[] => [
  ...catalog.products.flatMap(({ path, definition }) => [path, ...(definition.aliases ?? [])]),
  ...free.filter(({ path, handler }) => handler.operator !== true && !/[:*]/.test(path)).map(({ path }) => path),
  ...doors.filter(({ handler }) => handler.operator !== true).map(({ prefix }) => prefix),
];

const listRoutes = ({ catalog, free, doors }: AppOptions): readonly ServedRoute[] => [
  ...catalog.products.map(({ path, methods }) => ({ path, methods, is_operator: false })),
  ...free.map(({ path, methods, handler }) => ({ path, methods, is_operator: handler.operator === true })),
  ...doors.map(({ prefix, handler }) => {
    return { path: prefix, methods: ["GET", "POST"], is_operator: handler.operator === true };
  }),
];

/** Crawlers ask by GET what a path costs that takes POST alone. */
const showsPriceToGet = ({ methods, definition: { form, parts } }: CatalogProduct): boolean =>
  form?.shows_402_to_get === true || (parts !== undefined && !methods.includes("GET"));

const runOf = (by_method: ByMethod, { method }: Request): RunRoute =>
  by_method.get(method) ?? (by_method.get("*") as RunRoute);

/** The router, loaded and set up when something is first asked of it: a start does without. */
function createLateRouter(patterns: readonly Pattern[], missing: RunRoute): RunRoute {
  let router: RunRoute | null = null;
  const load = once(async () => {
    const { createRouter } = await import("./router.ts");
    router = createRouter(patterns, missing);
    return router;
  });
  return (request) => (router === null ? load().then((loaded) => loaded(request)) : router(request));
}

/** Whole URLs without a query, of which there are as many as paths and names of this node. */
const URLS_MAX = 2_000;
/** A host header may have kilobytes: what is that long is found anew each time. */
const URL_CHARS_MAX = 300;

/**
 * Finds what answers a request. Nearly every path is one that was mounted by its name: the router, which makes an
 * object of each request, is for the others. What a whole URL leads to is found once.
 */
function createFinder(mounted: ReadonlyMap<string, ByMethod>, routed: RunRoute): RunRoute {
  const known = new Map<string, { readonly path: string; readonly by_method: ByMethod }>();
  return (request) => {
    const { url } = request;
    let found = known.get(url);
    if (found === undefined) {
      const path = pathOf(url);
      const by_method = mounted.get(path);
      if (by_method === undefined) return routed(request);
      found = { path, by_method };
      // A client that invents hosts and queries only causes others to be looked up again.
      if (url.length <= URL_CHARS_MAX && !url.includes("?")) {
        if (known.size >= URLS_MAX) known.clear();
        known.set(url, found);
      }
    }
    return runOf(found.by_method, request)(request, found.path);
  };
}

const ANY_METHOD = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const isPreflight = ({ method, headers }: Request): boolean =>
  method === "OPTIONS" && headers.has("access-control-request-method");

/**
 * Answers OPTIONS, which is not limited: a page whose preflight fails never learns why. The operator's doors are for
 * programs and pages of this node: other sites' pages may not call.
 */
function createOptions(
  responder: Responder,
  { allow, is_operators }: { readonly allow: string; readonly is_operators: boolean },
): Handler {
  return is_operators
    ? Object.assign(({ request_id }: HTTPCall) => responder.options(allow, request_id), { operator: true as const })
    : Object.assign((http_call: HTTPCall) => responder.preflight(allow, http_call), { unlimited: true as const });
}

async function refuseMethod(
  { problem, page }: { readonly problem: Responder["problem"]; readonly page: ProblemPage },
  { request, request_id, noCharge }: HTTPCall,
  allow: string,
): Promise<Response> {
  const message = `${request.method.slice(0, 20)} is not taken here; ${allow} are.`;
  const error = new NodeError("method_not_allowed", message);
  const response = page(request, error, request_id) ?? problem(error, { request_id, no_charge: await noCharge(error) });
  response.headers.set("Allow", allow);
  return response;
}

/** Leads to the same place under its one spelling. */
export const redirect =
  (responder: Responder, path: string) =>
  ({ search, request_id }: Pick<HTTPCall, "search" | "request_id">): Response => {
    const headers = responder.headers({ Location: search === "" ? path : `${path}?${search}` });
    headers.set("X-Request-Id", request_id);
    return new Response(null, { status: 308, headers });
  };
