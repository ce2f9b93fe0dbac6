import { messageOf, NodeError } from "../core/errors.ts";
import type { Log } from "../telemetry/log.ts";
import { checkAdmission } from "./admission.ts";
import type { HTTPCalls } from "./http-call.ts";

export interface HTTPServer {
  /** Where it listens, such as "http://127.0.0.1:8402". */
  readonly url: string;
  readonly port: number;
  /** Refuses new requests from now on; those in flight go on. */
  refuseNew(): void;
  /** Closes the listener; `force` also cuts connections that are still open. */
  stop(force: boolean): Promise<void>;
}

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly body_bytes_max: number;
  readonly http_calls: HTTPCalls;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly log: Log;
  /** How long a connection may stand still, s; IDLE_TIMEOUT_S unless a test says otherwise. */
  readonly idle_timeout_s?: number;
}

/**
 * A connection on which nothing moves is closed: also one whose other side takes nothing of its answer. Longer than
 * the slowest settlement, for a call that is worked on moves nothing either.
 */
const IDLE_TIMEOUT_S = 120;

/**
 * Listens. Admission runs here, before the router sees the URL.
 * @throws Error when the port is taken: two nodes must never share one silently.
 */
export function startServer(options: ServerOptions): HTTPServer & { readonly server: ReturnType<typeof Bun.serve> } {
  const { http_calls, log } = options;
  let stopping = false;
  const server = Bun.serve({
    hostname: options.host,
    port: options.port,
    reusePort: false,
    idleTimeout: options.idle_timeout_s ?? IDLE_TIMEOUT_S,
    // Above our own limit, so that our own answer says why.
    maxRequestBodySize: options.body_bytes_max * 4,
    development: false,
    fetch(request, self) {
      const refusal = checkAdmission(request, stopping);
      if (refusal === null) return options.fetch(request);
      return http_calls.run(request, self, () => {
        throw refusal;
      });
    },
    error(error) {
      log.error({ event: "unexpected", error: messageOf(error) });
      const { status, code } = new NodeError("internal_error", "");
      return new Response(JSON.stringify({ status, code, charged: false }), { status });
    },
  });
  return {
    server,
    url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${server.port}`,
    port: Number(server.port),
    refuseNew() {
      stopping = true;
    },
    stop: (force) => server.stop(force),
  };
}
