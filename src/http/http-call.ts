import { getRunKind } from "../catalog/failed-run.ts";
import { asksForPreview } from "../catalog/sent-values.ts";
import { InvariantError, isNodeError, messageOf, NodeError } from "../core/errors.ts";
import type { Log } from "../telemetry/log.ts";
import type { RouteName, Stats } from "../telemetry/stats.ts";
import type { ClientAddress, ClientAddresses } from "./client-address.ts";
import { peerOf } from "./divert.ts";
import type { RateLimits } from "./limits.ts";
import { type FailedCall, isPaying } from "./no-charge.ts";
import type { ProblemPage } from "./problem-pages.ts";
import type { AboutProblem, Responder } from "./respond.ts";
import { placeKey, refuseKeyInURL, withoutKey } from "./shown-key.ts";
import type { SlowRefusals } from "./slow-refusals.ts";

/** One HTTP request on its way through a route. */
export interface HTTPCall {
  readonly request: Request;
  readonly request_id: string;
  /** Everything after "?", or "". */
  readonly search: string;
  /** Set on calls of payable paths whose own headers bring nothing to pay with. */
  readonly is_unpaid?: boolean;
  /** The connected peer's address. */
  readonly peer: string;
  /** Where the request came from: the peer, or what a proxy of the operator's says. */
  readonly client: string;
  /**
   * The signed statement that a failed call cost nothing, for its body; null where there is nothing to state.
   * @param headers what was brought to pay with, if not in the request's own headers.
   */
  readonly noCharge: (error: NodeError, headers?: Headers) => Promise<string | null>;
  /**
   * Counts the call, for handlers with `counts_itself`: as free, or as one that brings something to pay with.
   * @throws NodeError rate_limited
   */
  readonly count: (paying: boolean) => void;
  /**
   * For doors that tell of errors inside an answer with status 200: logs and counts the error as if it were the
   * answer, and returns it as the buyer may know it.
   */
  readonly failed: (error: unknown) => NodeError;
}

export interface Handler {
  (http_call: HTTPCall): Response | Promise<Response>;
  /** Set on doors that only this machine can open, and on health checks: they are not counted. */
  readonly unlimited?: true;
  /** Set on health checks: that they say 503 is an answer, not an error of this node. */
  readonly health?: true;
  /** Set on paths that can be paid for: a call that brings something to pay with is not counted as free. */
  readonly payable?: true;
  /** Set on what only the operator may ask. */
  readonly operator?: true;
  /** The parameter of the query that holds an API key, where the path takes one from there. */
  readonly key_param?: string;
  /** Set on doors that learn from the body alone whether a call pays: they count every call themselves. */
  readonly counts_itself?: true;
  /** Set on paths whose errors have a form of their own. */
  readonly problem?: (error: NodeError, about: AboutProblem) => Response;
  /** Set where the path itself may hold something private: what the log says instead. */
  readonly logged_as?: string;
  /**
   * Answers, as the handler itself would, a GET without a query and with nothing to pay with; null where the handler
   * has to look closer. Most requests are such, and get by without what is made for all others.
   */
  readonly atOnce?: (request: Request, request_id: string) => Response | null;
}

export interface HTTPCallOptions {
  readonly newRequestId: () => string;
  readonly log: Log;
  readonly stats: Stats;
  readonly limits: RateLimits;
  /** Holds back what is answered to who goes on over his limits. */
  readonly slow_refusals: Pick<SlowRefusals, "note">;
  readonly clientOf: ClientAddresses;
  /** Told of every request with X-Forwarded-For, whether it was believed or not. */
  readonly onForwarded: (from: ClientAddress, headers: Headers) => void;
  /** Asked when it is needed: the public address may follow from the port, which is known only after listening. */
  readonly responder: () => Responder;
  /** Errors as browsers see them; null while the node starts. */
  readonly problemPage: () => ProblemPage | null;
  /** Signs for a failed call that it cost nothing. */
  readonly noCharge: (call: FailedCall) => Promise<string | null>;
}

export interface HTTPCalls {
  /**
   * Runs a handler for a request: id, rate limit, error mapping, log line. Never throws.
   * @param path of the request, where it is known.
   */
  run(request: Request, handler: Handler, path?: string): Response | Promise<Response>;
  /** Requests being answered now. */
  readonly active: number;
}

/** A request while it is answered. */
interface Running {
  readonly request: Request;
  readonly handler: Handler;
  readonly request_id: string;
  /** By `performance.now()`. */
  readonly started: number;
  readonly from: ClientAddress;
  /** As the log says it. */
  readonly path: string;
  /** What its RateLimit header says; null without one. */
  limit: string | null;
  /** It is limited by its price. */
  paying: boolean;
  /** The error told of inside an answer with status 200. */
  inner: NodeError | null;
}

/** The part of a URL before its query, without the origin. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start < 0) return "/";
  const end = url.indexOf("?", start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

export function createHTTPCalls(options: HTTPCallOptions): HTTPCalls {
  const { log, stats, limits } = options;
  let active = 0;

  const toError = (error: unknown, request_id: string): NodeError => {
    if (isNodeError(error)) {
      const { cause } = error.options;
      if (cause !== undefined)
        log.warn({ event: "failed_call", request_id, code: error.code, cause: messageOf(cause) });
      return error;
    }
    const broken = error instanceof InvariantError;
    log.error({
      event: broken ? "invariant" : "unexpected",
      request_id,
      error: messageOf(error),
      stack: stackOf(error),
    });
    return new NodeError("internal_error", "Something broke here. Nothing was charged for this call.");
  };

  const noCharge = async (
    { request, request_id, path }: Running,
    error: NodeError,
    headers = request.headers,
  ): Promise<string | null> => {
    try {
      const { method } = request;
      return await options.noCharge({ request: { headers, method }, request_id, path, error });
    } catch (cause) {
      // The answer matters more than what it states about itself.
      log.error({ event: "no_statement", request_id, error: messageOf(cause) });
      return null;
    }
  };

  /** Counts and logs an answer. @returns the status it counts as. */
  const conclude = (running: Running, response: Response, outer: NodeError | null): number => {
    const { request, request_id, handler, from, inner, limit, path } = running;
    const { client: ip, peer } = from;
    const status = inner?.status ?? response.status;
    // A key over its rate or concurrency limit is told so; it is valid all the same.
    if (running.paying && status >= 400 && status < 500 && !(status === 429 && request.headers.has("x-api-key"))) {
      limits.countRefused(ip);
    }
    // What is left of a body that nobody will read must not hold the connection.
    if (status === 408 || status === 413) response.headers.set("Connection", "close");
    if (limit !== null) {
      response.headers.set("RateLimit-Policy", limits.policy);
      response.headers.set("RateLimit", limit);
    }
    const duration_ms = performance.now() - running.started;
    const error = inner ?? outer;
    stats.countRequest(routeOf(handler), status, duration_ms, error !== null && isAsked(error));
    log.request({
      request_id,
      method: request.method,
      path,
      status: response.status,
      duration_ms,
      ip,
      peer: peer === ip ? null : peer,
      code: error?.code ?? null,
    });
    return status;
  };

  /** The answer when it may go. How long it is held back is no time that the node took for it. */
  const finish = (running: Running, response: Response, error: NodeError | null): Response | Promise<Response> => {
    const status = conclude(running, response, error);
    const { request, from } = running;
    const held = status === 429 ? options.slow_refusals.note(limits.limitOf(from.client), request) : null;
    if (held === null) {
      active -= 1;
      return response;
    }
    return held.then(() => {
      active -= 1;
      return response;
    });
  };

  const count = (running: Running, is_paying: boolean): void => {
    if (!limits.enabled) return;
    // Limited by its price, not by its address.
    running.paying = is_paying;
    if (is_paying) limits.assertTrusted(running.from.client);
    else running.limit = limits.count(running.from.client);
  };

  const fail = async (running: Running, error: unknown): Promise<Response> => {
    const { request, request_id, handler } = running;
    const known = toError(error, request_id);
    const page = handler.problem ? null : (options.problemPage()?.(request, known, request_id) ?? null);
    if (page) return finish(running, page, known);
    const render = handler.problem ?? options.responder().problem;
    return finish(running, render(known, { request_id, no_charge: await noCharge(running, known) }), known);
  };

  const toHTTPCall = (
    running: Running,
    about: Pick<HTTPCall, "search"> & { readonly is_unpaid: boolean },
  ): HTTPCall => {
    const { request, request_id, from } = running;
    return {
      request,
      request_id,
      search: about.search,
      is_unpaid: about.is_unpaid,
      peer: from.peer,
      client: from.client,
      noCharge: (error, headers) => noCharge(running, error, headers),
      count: (is_paying) => count(running, is_paying),
      failed(error) {
        running.inner = toError(error, request_id);
        return running.inner;
      },
    };
  };

  return {
    get active() {
      return active;
    },
    run(request, handler, path) {
      const started = performance.now();
      const { url, headers } = request;
      const connected = peerOf(request);
      const forwarded = headers.get("x-forwarded-for");
      const from = options.clientOf(connected, forwarded);
      if (forwarded !== null) options.onForwarded(from, headers);
      const request_id = options.newRequestId();
      const running: Running = {
        request,
        handler,
        request_id,
        started,
        from,
        path: handler.logged_as ?? withoutKey(path ?? pathOf(url)),
        limit: null,
        paying: false,
        inner: null,
      };
      active += 1;
      try {
        const query = url.indexOf("?");
        const search = query < 0 ? "" : url.slice(query + 1);
        // The operator's doors know no keys of buyers; a preflight only asks whether a call may come.
        const looks_for_key = !handler.operator && request.method !== "OPTIONS";
        const refused = looks_for_key ? findKeyFault(handler, headers, search) : null;
        const is_payable = handler.payable === true;
        const is_unpaid = is_payable && !isPaying(headers);
        if (!handler.unlimited && (refused !== null || !handler.counts_itself)) {
          count(running, limits.enabled && is_payable && !is_unpaid && isSold(request, search));
        }
        if (refused !== null) throw refused;
        if (handler.atOnce !== undefined && query < 0 && is_payable === is_unpaid && request.method === "GET") {
          const ready = handler.atOnce(request, request_id);
          if (ready !== null) return finish(running, ready, null);
        }
        const result = handler(toHTTPCall(running, { search, is_unpaid }));
        return result instanceof Response
          ? finish(running, result, null)
          : result.then(
              (response) => finish(running, response, null),
              (error) => fail(running, error),
            );
      } catch (error) {
        return fail(running, error);
      }
    },
  };
}

/** What is wrong with how a call shows its key; a key that is shown in a header is put where doors look for it. */
const findKeyFault = ({ key_param }: Handler, headers: Headers, search: string): NodeError | null =>
  placeKey(headers) ?? refuseKeyInURL(search, key_param ?? null);

/** Requests for what does not exist, or not yet, could otherwise make the node look broken. */
const isAsked = (error: NodeError): boolean => ["asked", "early"].includes(getRunKind(error));

const routeOf = (handler: Handler): RouteName => {
  if (handler.health) return "health";
  if (handler.operator) return "operator";
  if (handler.counts_itself) return "door";
  return handler.payable ? "product" : "free";
};

/** A preview or a HEAD costs nothing, whatever is sent along to pay with: it is counted as free. */
const isSold = ({ method }: Request, search: string): boolean => method !== "HEAD" && !asksForPreview(search);

const stackOf = (error: unknown): string | undefined =>
  error instanceof Error ? error.stack?.split("\n").slice(0, 6).join(" | ") : undefined;
