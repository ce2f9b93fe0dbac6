import { Elysia } from "elysia";
import type { Catalog } from "../catalog/catalog.ts";
import { NodeError } from "../core/errors.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler, HTTPCall, HTTPCalls } from "./http-call.ts";
import type { ProblemPage } from "./problem-pages.ts";
import {
  createPreviewHandler,
  createProbeHandler,
  createProductHandler,
  type ProductRouteOptions,
} from "./product-routes.ts";
import type { Responder } from "./respond.ts";

/** Runs the work of a request that was routed, and tells what came of it. */
export type RouteTrace = (
  asked: {
    readonly request: Request;
    readonly server: Bun.Server<undefined> | null;
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
  /** The listening server, for the peer's address. */
  readonly server: () => Bun.Server<undefined> | null;
  /** Put around every request but health checks; nothing is where there is none. */
  readonly trace?: RouteTrace | undefined;
}

/** Puts every route on one Elysia app. Handlers and prices are bound here; nothing looks them up by URL later. */
export function createApp(options: AppOptions): { fetch(request: Request): Response | Promise<Response> } {
  const { http_calls, responder } = options;
  // strictPath: "/fear-greed/" is another path. normalize: nothing of ours may be dropped in silence.
  const app = new Elysia({ name: "intel-node", strictPath: true, normalize: false });
  const run = (handler: Handler, route?: string) => {
    const { trace } = options;
    const answer = ({ request }: { request: Request }) => http_calls.run(request, options.server(), handler);
    if (trace === undefined || handler.health) return answer;
    return ({ request }: { request: Request }) =>
      trace({ request, server: options.server(), route }, () => answer({ request }));
  };

  const mount = (path: string, methods: readonly string[], handler: Handler) => {
    const problem = handler.problem ?? responder.problem;
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    for (const method of methods) app.route(method, path, run(handler, path), { config: {}, parse: "none" });
    if (methods.includes("GET")) app.route("HEAD", path, run(handler, path), { config: {}, parse: "none" });
    app.options(
      path,
      run(({ request_id }) => responder.preflight(allow, request_id), path),
    );
    // A door with errors of its own form has no pages either.
    const page: ProblemPage = handler.problem ? () => null : options.problem_page;
    const refuse = (http_call: HTTPCall) => refuseMethod({ problem, page }, http_call, allow);
    app.all(path, run(Object.assign(refuse, { problem }), path), {
      parse: "none",
    });
  };

  for (const product of options.catalog.products) {
    const handler = createProductHandler(product, options.product);
    if (product.definition.form?.shows_402_to_get === true) {
      const allow = [...product.methods, "OPTIONS"].join(", ");
      const refuse = (http_call: HTTPCall) =>
        refuseMethod({ problem: handler.problem ?? responder.problem, page: () => null }, http_call, allow);
      const probe = createProbeHandler(handler, refuse);
      app.route("GET", product.path, run(probe, product.path), { config: {}, parse: "none" });
      app.route("HEAD", product.path, run(probe, product.path), { config: {}, parse: "none" });
    }
    mount(product.path, product.methods, handler);
    const { path: free_path } = product.definition.preview;
    if (free_path !== undefined) mount(free_path, ["GET"], createPreviewHandler(product, options.product));
    for (const alias of product.definition.aliases ?? []) {
      mount(alias, product.methods, redirect(options.product.responder, product.path));
    }
  }
  for (const { path, methods, handler } of options.free) mount(path, methods, handler);
  for (const { prefix, handler } of options.doors) {
    app.all(prefix, run(handler, prefix), { parse: "none" });
    app.all(`${prefix}/*`, run(handler, prefix), { parse: "none" });
  }
  const served = new Set([
    ...options.catalog.products.flatMap(({ path, definition }) => [path, ...(definition.aliases ?? [])]),
    ...options.free.map(({ path }) => path),
  ]);
  const missing = run((http_call) => {
    const { pathname } = new URL(http_call.request.url);
    const without_slash = pathname.replace(/\/+$/, "");
    if (without_slash !== pathname && served.has(without_slash)) return redirect(responder, without_slash)(http_call);
    throw new NodeError("not_found", "Nothing is served under this path.");
  });
  app.all("/*", missing, { parse: "none" });
  app.onError(({ request }) => missing({ request }));
  app.compile();
  return { fetch: (request) => app.fetch(request) };
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
