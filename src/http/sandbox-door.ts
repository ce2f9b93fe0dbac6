import { assertOperator } from "../admin/status.ts";
import { isLoopback } from "../core/customer-network.ts";
import { NodeError } from "../core/errors.ts";
import type { Handler, HTTPCall } from "./http-call.ts";

/** What proxies write into requests that they pass on. */
const PROXY_FIELDS = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via"];
/** As a program on this machine names it that calls without a proxy. */
const OWN_HOST = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?::\d+)?$/i;

export interface SandboxDoorOptions {
  readonly handle: (request: Request) => Promise<Response>;
  readonly operator_token: string;
  /** The node has an address for the world, or names proxies: somebody passes strangers on to it. */
  readonly is_published: boolean;
}

/**
 * The door that steers the sandbox. It opens to this machine only, and through a proxy of this machine only with the
 * operator's token from the ready line. A request came through a proxy when it says so: by a field that proxies add,
 * by naming another host than loopback, or by "Connection: close", which stock nginx (HTTP/1.0 to its upstreams) sends
 * and no client that keeps connections does. A proxy that leaves no trace cannot be distinguished from a program
 * here: so a node that has a public address or names proxies asks everybody for the token.
 */
export function createSandboxDoor({ handle, operator_token, is_published }: SandboxDoorOptions): Handler {
  const handler: Handler = ({ request, peer }) => {
    if (!isLoopback(peer)) throw new NodeError("not_found", "Nothing is served under this path.");
    if (is_published || isProxied(request)) assertOperator(request.headers, operator_token);
    return handle(request);
  };
  return Object.assign(handler, { unlimited: true as const, operator: true as const });
}

export function isProxied({ headers }: HTTPCall["request"]): boolean {
  if (PROXY_FIELDS.some((name) => headers.has(name))) return true;
  return !OWN_HOST.test(headers.get("host") ?? "") || /\bclose\b/i.test(headers.get("connection") ?? "");
}
