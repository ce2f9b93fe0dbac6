import type { Config } from "../config/schema.ts";
import { systemTimers } from "../core/clock.ts";
import { createRequestIds } from "../core/ids.ts";
import { createClientAddresses } from "../http/client-address.ts";
import { createHTTPCalls, type Handler } from "../http/http-call.ts";
import { createRateLimits, type LimitSettings } from "../http/limits.ts";
import { createNoCharge } from "../http/no-charge.ts";
import type { ProblemPage } from "../http/problem-pages.ts";
import { createResponder } from "../http/respond.ts";
import { startServer } from "../http/server.ts";
import { createSlowRefusals } from "../http/slow-refusals.ts";
import { watchProxies } from "../http/watch-proxies.ts";
import { createNoChargeSigner } from "../trust/no-charge.ts";
import type { Core, Listener, StartOptions } from "./parts.ts";

export const readLimits = (given: Config["limits"]): LimitSettings => {
  const { free_per_minute: per_minute, key_per_minute, enabled, loopback_exempt } = given;
  return { per_minute, key_per_minute, enabled, loopback_exempt };
};

type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Listens first of all: with port 0 the port becomes part of the public address, which everything else is rendered
 * with.
 * @throws Error when the port is taken.
 */
export function composeListener(options: StartOptions, core: Core): Listener {
  const { config, clock, log, listen, timers = systemTimers } = options;
  const { host, body_bytes_max, trusted_proxies } = config.server;
  const port = listen?.port ?? config.server.port;
  const limits = createRateLimits({ ...readLimits(config.limits), clock });
  let responder = createResponder({ public_url: config.node.public_url ?? `http://${host}:${port}` });
  let problemPage: ProblemPage | null = null;
  let noCharge: ReturnType<typeof createNoCharge> = async () => null;
  const proxies = watchProxies({ log, clock, public_url: config.node.public_url });
  const slow_refusals = createSlowRefusals({ clock, timers });
  const http_calls = createHTTPCalls({
    newRequestId: createRequestIds(),
    log,
    stats: core.stats,
    limits,
    slow_refusals,
    clientOf: createClientAddresses(trusted_proxies),
    onForwarded: proxies.note,
    responder: () => responder,
    problemPage: () => problemPage,
    noCharge: (call) => noCharge(call),
  });
  const starting: Handler = ({ request_id }) => {
    const headers = responder.headers({ "Retry-After": "1", "Cache-Control": "no-store" });
    return new Response(JSON.stringify({ status: "starting", request_id }), { status: 503, headers });
  };
  let routes: Fetch | null = null;
  const fetch: Fetch = (request) => routes?.(request) ?? http_calls.run(request, starting);
  const { handover_socket } = listen ?? {};
  const shared = listen !== undefined && process.platform === "linux";
  const http = startServer({
    host,
    port,
    body_bytes_max,
    http_calls,
    fetch,
    log,
    shared,
    ...(handover_socket === undefined ? {} : { handover_socket }),
  });
  const public_url = config.node.public_url ?? http.url;
  responder = createResponder({ public_url });
  noCharge = createNoCharge({ ledger: core.ledger, clock, sign: createNoChargeSigner(core.identity, public_url) });
  const serve = (wanted: Fetch, page: ProblemPage) => {
    routes = wanted;
    problemPage = page;
  };
  return { http, public_url, http_calls, limits, responder, proxies, serve, letGo: slow_refusals.close };
}
