import { Type } from "@sinclair/typebox";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { createParamsParser, type ParsedParams } from "../catalog/params.ts";
import type { Previews } from "../catalog/previews.ts";
import { NodeError } from "../core/errors.ts";
import type { AccessMethod } from "../payments/access.ts";
import type { Challenge } from "../payments/challenge.ts";
import { createFingerprint } from "../payments/fingerprint.ts";
import { PaymentRefusal } from "../payments/refusal.ts";
import type { Stats } from "../telemetry/stats.ts";
import { readJSONBody } from "./body.ts";
import type { Exchange, Handler } from "./exchange.ts";
import type { Responder } from "./respond.ts";

export interface ProductRouteOptions {
  readonly responder: Responder;
  readonly previews: Previews;
  /** In the order they are asked: key, coupon, payment. */
  readonly access: readonly AccessMethod[];
  /** The challenge as it is now. */
  readonly challengeOf: (product: CatalogProduct) => Challenge;
  readonly default_protocol: 1 | 2;
  readonly body_bytes_max: number;
  readonly stats: Stats;
  readonly now_ms: () => number;
}

/**
 * The handler of one paid path. Product, price and gate are bound here, once; the URL is never asked for them again.
 */
export function createProductHandler(product: CatalogProduct, options: ProductRouteOptions): Handler {
  const { responder, previews, access, stats } = options;
  const of_challenge = responder.headers({ "Cache-Control": "no-store" });
  const of_preview = responder.headers({ "Cache-Control": "public, max-age=60" });
  const of_answer = responder.headers({ "Cache-Control": "private" });

  /** The header is some kilobytes: it is put into a Headers object once per rendered challenge, not per request. */
  const kept = new WeakMap<Challenge, Headers>();
  const headersOf = (current: Challenge): Headers => {
    let headers = kept.get(current);
    if (!headers) {
      headers = new Headers(of_challenge);
      headers.set("PAYMENT-REQUIRED", current.header);
      kept.set(current, headers);
    }
    return headers;
  };

  const respond = ({ request, request_id }: Exchange, body: string, init: { status: number; headers: Headers }) => {
    const response = new Response(request.method === "HEAD" ? null : body, init);
    response.headers.set("X-Request-Id", request_id);
    return response;
  };

  const wanted = ({ search }: Exchange): 1 | 2 => {
    if (search !== "" && search.includes("x402Version=1")) return 1;
    return search.includes("x402Version=2") ? 2 : options.default_protocol;
  };

  const challenge = (exchange: Exchange): Response => {
    const current = options.challengeOf(product);
    if (current.networks.length === 0) throw noNetwork(product);
    const [head, tail] = wanted(exchange) === 1 ? current.body_v1 : current.body;
    stats.count("challenges");
    return respond(exchange, head + exchange.request_id + tail, { status: 402, headers: headersOf(current) });
  };

  const refused = (exchange: Exchange, refusal: PaymentRefusal): Response => {
    const current = options.challengeOf(product);
    if (current.networks.length === 0) throw noNetwork(product);
    const { headers } = exchange.request;
    const protocol = headers.has("x-payment") && !headers.has("payment-signature") ? 1 : wanted(exchange);
    const about = { id: exchange.request_id, protocol, no_charge: exchange.noCharge(refusal) };
    const { body, header, settlement } = current.refused(refusal, about);
    stats.count("challenges");
    const response = respond(exchange, body, { status: 402, headers: of_challenge });
    response.headers.set("PAYMENT-REQUIRED", header);
    if (settlement) response.headers.set(...settlement);
    return response;
  };

  const preview = (exchange: Exchange, params: ParsedParams): Response => {
    const body = JSON.stringify(previews.get(product, params));
    stats.count("previews");
    return respond(exchange, body, { status: 200, headers: of_preview });
  };

  async function serve(exchange: Exchange, params: ParsedParams, method: AccessMethod): Promise<Response> {
    const started = performance.now();
    const { request } = exchange;
    const missing = params.missing[0];
    if (missing !== undefined) {
      const message = `Parameter "${missing}" is needed. Nothing was charged.`;
      throw new NodeError("invalid_parameter", message, { param: missing, details: { parameter: missing } });
    }
    try {
      const fingerprint = createFingerprint(request.method, product, params);
      const { headers, signal: gone } = request;
      const { client } = exchange;
      const served = await method.serve({ product, request: params, fingerprint, headers, client, gone });
      const duration_ms = performance.now() - started;
      stats.count("paid");
      stats.observePaid(method.id, duration_ms);
      const response = respond(exchange, served.body, { status: 200, headers: of_answer });
      for (const [name, value] of Object.entries(served.headers)) response.headers.set(name, value);
      response.headers.set("Server-Timing", `total;dur=${duration_ms.toFixed(1)}`);
      return response;
    } catch (error) {
      if (error instanceof PaymentRefusal) return refused(exchange, error);
      throw error;
    }
  }

  const decide = (exchange: Exchange, params: ParsedParams): Response | Promise<Response> => {
    if (exchange.search !== "" && new URLSearchParams(exchange.search).get("preview") === "1") {
      return preview(exchange, params);
    }
    // HEAD has no body to hand over, so it is never charged: it shows what a GET would be asked for.
    const { request } = exchange;
    const method =
      request.method === "HEAD" ? undefined : access.find((one) => one.isPresent(request.headers, product));
    return method ? serve(exchange, params, method) : challenge(exchange);
  };

  const handler: Handler = (exchange) => {
    if (exchange.request.method === "POST") queryOfPost.fromQuery(exchange.search);
    else return decide(exchange, product.params.fromQuery(exchange.search));
    return readJSONBody(exchange.request, options.body_bytes_max).then((body) =>
      decide(exchange, body === undefined ? product.params.defaults : product.params.fromBody(body)),
    );
  };
  return Object.assign(handler, { payable: true as const });
}

/** A POST takes its parameters from the body; only the reserved ones may stand in the query. */
const queryOfPost = createParamsParser(Type.Object({}));

const noNetwork = (product: CatalogProduct): NodeError =>
  new NodeError(
    "facilitator_unavailable",
    `${product.path} cannot be paid right now: no payment network has a live facilitator. Nothing was charged.`,
    { retry_after_s: 10 },
  );
