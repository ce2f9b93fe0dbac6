import { NodeError } from "../core/errors.ts";

/**
 * Host as RFC 9110 allows it, at least four characters. The router looks for the path from the 11th character of the
 * URL on, so a shorter host would shift where it starts looking; and without a usable Host there is no URL at all.
 */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i;
const HOST_CHARS_MIN = 4;

/** Health checks, as the URL reads when no host is named. */
const HEALTH_URL = /^(?:https?:\/\/[^/]*)?\/(?:healthz|readyz)$/;

/** What the URL of an accepted request starts with, by Host header. */
const prefixes = new Map<string, string>();
const PREFIXES_MAX = 100;

/**
 * Looks at a request before any routing.
 * @returns the reason to turn it away, or null.
 */
export function checkAdmission(request: Request, stopping: boolean): NodeError | null {
  if (stopping) {
    return new NodeError("shutting_down", "This node is stopping. Nothing was charged.", { retry_after_s: 5 });
  }
  const host = request.headers.get("host");
  // Nearly every request names the same few hosts: those were checked before.
  const known = host === null ? undefined : prefixes.get(host);
  if (known !== undefined && request.url.startsWith(known)) return null;
  // HAProxy's plain check is HTTP/1.0 without Host; there is nothing to be misled about on these paths.
  if (host === null && HEALTH_URL.test(request.url)) return null;
  if (host === null || host.length < HOST_CHARS_MIN || !HOST.test(host)) {
    return new NodeError("invalid_request", "The Host header is missing or malformed.");
  }
  const { url } = request;
  // An absolute request line may name another origin than Host: one of the two is a lie.
  const expected = `//${host}/`;
  const start = url.indexOf("//");
  if (start < 0 || url.slice(start, start + expected.length).toLowerCase() !== expected.toLowerCase()) {
    return new NodeError("invalid_request", "The request line and the Host header name different origins.");
  }
  if (prefixes.size < PREFIXES_MAX) prefixes.set(host, url.slice(0, start + expected.length));
  return null;
}
