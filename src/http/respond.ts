import { ERRORS, type NodeError } from "../core/errors.ts";

/**
 * What browsers let an agent read: those that money hangs on by name, for readers that know no "*", then every other
 * one. Cookies are never asked for, so "*" means all.
 */
const EXPOSED = [
  "PAYMENT-REQUIRED",
  "PAYMENT-RESPONSE",
  "WWW-Authenticate",
  "Payment-Receipt",
  "X-PAYMENT-RESPONSE",
  "X-Request-Id",
  "X-Credits-Remaining",
  "X-Charged",
  "X-Metering",
  "X-Receipt-Id",
  "X-Idempotent-Replay",
  "X-Duplicate-Payment-Avoided",
  "X-Earlier-Payment-Unknown",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "Mcp-Session-Id",
  "ETag",
  "Link",
  "*",
].join(", ");
/** Official clients send Access-Control-Expose-Headers as a request header, so a preflight has to allow it. */
const ALLOWED: readonly string[] = [
  "PAYMENT-SIGNATURE",
  "X-PAYMENT",
  "X-API-Key",
  "X-Coupon",
  "SIGN-IN-WITH-X",
  "Authorization",
  "Payment-Authorization",
  "Accept-Payment",
  "Content-Type",
  "Idempotency-Key",
  "X-Allow-Duplicate",
  "Access-Control-Expose-Headers",
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
  "A2A-Version",
  "A2A-Extensions",
  "X-A2A-Extensions",
];
const ALLOWED_TEXT = ALLOWED.join(", ");
const KNOWN: ReadonlySet<string> = new Set(ALLOWED.map((name) => name.toLowerCase()));
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** A preflight's head has to fit into a page of a proxy, as every other one. */
const ASKED_CHARS_MAX = 2_000;

/**
 * What a preflight allows: our own headers, and whatever else the client's libraries add (traces, SDK versions, event
 * ids). Nothing here goes by cookies, so no header of another site's page can do what its sender could not do anyway.
 * The asked names are repeated, because "*" does not cover Authorization.
 */
function allowHeaders(asked: string | null): string {
  if (asked === null || asked.length > ASKED_CHARS_MAX) return `${ALLOWED_TEXT}, *`;
  const names = asked.split(",").map((name) => name.trim().toLowerCase());
  const more = new Set(names.filter((name) => HEADER_NAME.test(name) && !KNOWN.has(name)));
  return more.size === 0 ? ALLOWED_TEXT : `${ALLOWED_TEXT}, ${[...more].join(", ")}`;
}

const PRIVATE: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};
const COMMON: Readonly<Record<string, string>> = {
  "Content-Type": "application/json",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED,
  ...PRIVATE,
};

/**
 * A response under the id of its request. Headers are copied as a response is made, so the id is set before, on those
 * that all answers of a kind share: set on the response, it would make an object of every response's own headers.
 */
export function respondAs(
  request_id: string,
  body: string | Blob | Uint8Array<ArrayBuffer> | null,
  init: { readonly status?: number; readonly headers: Headers },
): Response {
  init.headers.set("X-Request-Id", request_id);
  return new Response(body, init);
}

export interface Responder {
  /**
   * Headers of a kind of answer, built once. A Headers object is copied natively per response, which is measurably
   * cheaper than a plain object with as many members.
   */
  headers(more: Readonly<Record<string, string>>): Headers;
  problem(error: NodeError, about: AboutProblem): Response;
  /** The body of `problem`, for doors that put it into an answer of their own. */
  renderProblem(error: NodeError, about: AboutProblem): Record<string, unknown>;
  /** Lets browsers call with these methods and any headers. */
  preflight(allow: string, call: { readonly request: Request; readonly request_id: string }): Response;
  /** Says which methods a path takes, and lets no other site's page call it. */
  options(allow: string, request_id: string): Response;
}

/** What a problem's body says besides the error. */
export interface AboutProblem {
  readonly request_id: string;
  /** Signed statement that the call cost nothing. */
  readonly no_charge: string | null;
}

export interface ResponderOptions {
  readonly public_url: string;
}

export function createResponder({ public_url }: ResponderOptions): Responder {
  // Told only to buyers who came over https; on a plain loopback node it would lock browsers out.
  const secure: Record<string, string> = public_url.startsWith("https:")
    ? { "Strict-Transport-Security": "max-age=31536000" }
    : {};
  const headers = (more: Readonly<Record<string, string>>) => new Headers({ ...COMMON, ...secure, ...more });
  const of_problem = headers({ "Content-Type": "application/problem+json", "Cache-Control": "no-store" });

  return {
    headers,
    renderProblem: (error, about) => renderProblem(error, { ...about, public_url }),
    problem(error, about) {
      const { request_id } = about;
      const body = JSON.stringify(renderProblem(error, { ...about, public_url }));
      const response = respondAs(request_id, body, { status: error.status, headers: of_problem });
      const { retry_after_s } = error.options;
      if (retry_after_s !== undefined) response.headers.set("Retry-After", String(Math.ceil(retry_after_s)));
      return response;
    },
    options: (allow, request_id) =>
      new Response(null, { status: 204, headers: { ...PRIVATE, ...secure, Allow: allow, "X-Request-Id": request_id } }),
    preflight(allow, { request, request_id }) {
      return new Response(null, {
        status: 204,
        headers: {
          ...COMMON,
          ...secure,
          Allow: allow,
          "Access-Control-Allow-Methods": allow,
          "Access-Control-Allow-Headers": allowHeaders(request.headers.get("access-control-request-headers")),
          "Access-Control-Max-Age": "86400",
          Vary: "Access-Control-Request-Method, Access-Control-Request-Headers",
          "X-Request-Id": request_id,
        },
      });
    },
  };
}

/** RFC 9457 body of an error; only what the buyer may know. */
function renderProblem(
  error: NodeError,
  { request_id, no_charge, public_url }: AboutProblem & { readonly public_url: string },
): Record<string, unknown> {
  const { code, options } = error;
  const { title, status, retryable } = ERRORS[code];
  return {
    type: `${public_url}/errors#${code}`,
    title,
    status,
    detail: error.message,
    code,
    request_id,
    charged: options.charge_unknown ? "unknown" : false,
    retryable,
    ...(options.param === undefined ? {} : { param: options.param }),
    ...(options.retry_after_s === undefined ? {} : { retry_after: Math.ceil(options.retry_after_s) }),
    ...options.details,
    ...(no_charge === null ? {} : { no_charge }),
    ...(code === "not_found"
      ? {
          discovery: {
            openapi: `${public_url}/openapi.json`,
            llms_txt: `${public_url}/llms.txt`,
            pricing: `${public_url}/get-pricing`,
            errors: `${public_url}/errors`,
          },
        }
      : {}),
  };
}
