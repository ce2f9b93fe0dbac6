import type { Catalog } from "../catalog/catalog.ts";
import type { Previews } from "../catalog/previews.ts";
import { renderTime } from "../core/clock.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { FreeRoute } from "./app.ts";
import type { Exchange, Handler } from "./exchange.ts";
import type { Responder } from "./respond.ts";

export interface FreeRouteOptions {
  readonly responder: Responder;
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly previews: Previews;
  readonly node_id: string;
  readonly now_ms: () => number;
  readonly sandbox: boolean;
  /** Facts for /live, gathered per call. */
  readonly live: () => Record<string, unknown>;
  /** Why the node should get no traffic, or an empty list. */
  readonly notReady: () => readonly string[];
}

export function createFreeRoutes(options: FreeRouteOptions): readonly FreeRoute[] {
  const { responder, ledger } = options;
  const fresh = responder.headers({ "Cache-Control": "no-store" });
  const json = ({ request, request_id }: Exchange, value: unknown, status = 200): Response => {
    const response = new Response(request.method === "HEAD" ? null : JSON.stringify(value), { status, headers: fresh });
    response.headers.set("X-Request-Id", request_id);
    return response;
  };
  const stamp = () => ({
    node_id: options.node_id,
    generated_at: renderTime(options.now_ms()),
    ...(options.sandbox ? { sandbox: true } : {}),
  });
  const get = (path: string, handler: Handler): FreeRoute => ({ path, methods: ["GET"], handler });

  return [
    get("/healthz", (exchange) => {
      const { trouble } = ledger;
      return json(
        exchange,
        { status: trouble ? "failing" : "ok", ...(trouble ? { reason: trouble } : {}) },
        trouble ? 503 : 200,
      );
    }),
    get("/readyz", (exchange) => {
      const reasons = options.notReady();
      return json(exchange, { ready: reasons.length === 0, reasons }, reasons.length === 0 ? 200 : 503);
    }),
    get("/live", (exchange) => json(exchange, { ...stamp(), ...options.live() })),
    get("/sample", (exchange) => {
      const sampled = options.catalog.products.filter((product) => product.definition.sample === true);
      const shown = sampled.map((product) => {
        const name = product.id.replaceAll("-", "_");
        return [name, options.previews.find(product, product.params.defaults)] as const;
      });
      const warnings = shown
        .filter(([, body]) => body === null)
        .map(([name]) => `${name}: no snapshot is old enough yet`);
      return json(exchange, { ...stamp(), ...Object.fromEntries(shown), warnings });
    }),
  ];
}
