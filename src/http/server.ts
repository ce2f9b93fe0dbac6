import { messageOf, NodeError } from "../core/errors.ts";
import type { Log } from "../telemetry/log.ts";
import { checkAdmission } from "./admission.ts";
import { divert, noteDivertedPeer, notePeer, peerOf } from "./divert.ts";
import type { HTTPCalls } from "./http-call.ts";

export interface HTTPServer {
  /** Where it listens, such as "http://127.0.0.1:8402". */
  readonly url: string;
  readonly port: number;
  /** Refuses new requests from now on; those in flight go on. */
  refuseNew(): void;
  /**
   * From now on requests are answered by the process behind a hand-over socket. Those that were taken before are
   * finished here.
   */
  divert(socket: Promise<string>): void;
  /** Begins to listen, where that waited for a hand-over. @throws Error when the port cannot be had. */
  open(): void;
  /** When a request was last passed on, by `performance.now()`; null before the first. */
  readonly diverted_ms: number | null;
  /** Answers that are still being sent. */
  readonly pending: number;
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
  /** Whether another process of this node may listen on the same port, to take it over. */
  readonly shared?: boolean;
  /** Path of a socket on which an earlier process passes on what it is still sent. */
  readonly handover_socket?: string;
  /** How long a connection may stand still, s; IDLE_TIMEOUT_S unless a test says otherwise. */
  readonly idle_timeout_s?: number;
}

/**
 * A connection on which nothing moves is closed: also one whose other side takes nothing of its answer. Longer than
 * the slowest settlement, for a call that is worked on moves nothing either.
 */
const IDLE_TIMEOUT_S = 120;

/**
 * The server itself caps no body, because its own refusal does not say why. The reader of a body counts it while it
 * arrives, and a body without a reader is not kept.
 */
const COUNTED_BY_READERS = Number.MAX_SAFE_INTEGER;

/**
 * Listens. Admission runs here, before the router sees the URL.
 * @throws Error when the port is taken: two nodes must never share one silently.
 */
export function startServer(options: ServerOptions): HTTPServer {
  const { http_calls, log } = options;
  const renderError = (error: Error): Response => {
    log.error({ event: "unexpected", error: messageOf(error) });
    const { status, code } = new NodeError("internal_error", "");
    return new Response(JSON.stringify({ status, code, charged: false }), { status });
  };
  let stopping = false;
  let diverted: Promise<string> | null = null;
  let diverted_ms: number | null = null;
  const { shared = false, handover_socket, body_bytes_max } = options;
  // The one that takes over is expected to find the port taken; anybody else must not share it in silence.
  if (shared && handover_socket === undefined) assertFree(options.host, options.port);
  const refuse = (request: Request, error: unknown) =>
    http_calls.run(request, () => {
      throw error;
    });
  const answer = (request: Request) => {
    const refusal = checkAdmission(request, stopping);
    return refusal === null ? options.fetch(request) : refuse(request, refusal);
  };
  const listen = () =>
    Bun.serve({
      hostname: options.host,
      port: options.port,
      reusePort: shared,
      idleTimeout: options.idle_timeout_s ?? IDLE_TIMEOUT_S,
      maxRequestBodySize: COUNTED_BY_READERS,
      development: false,
      fetch(request, self) {
        notePeer(request, self);
        if (diverted === null) return answer(request);
        diverted_ms = performance.now();
        return divert(request, peerOf(request), { socket: diverted, body_bytes_max }).catch((error: unknown) =>
          refuse(request, error),
        );
      },
      error: renderError,
    });
  // Who takes over has no connection that could be lost with it before it is sure to serve.
  let server = handover_socket === undefined ? listen() : null;
  const handed =
    handover_socket === undefined
      ? null
      : Bun.serve({
          unix: handover_socket,
          maxRequestBodySize: COUNTED_BY_READERS,
          development: false,
          fetch(request, self) {
            // The other end is a process of ours, which has its own limits.
            self.timeout(request, 0);
            noteDivertedPeer(request);
            return answer(request);
          },
          error: renderError,
        });
  const port = server?.port ?? options.port;
  return {
    open() {
      server ??= listen();
    },
    divert(socket) {
      diverted = socket;
    },
    get diverted_ms() {
      return diverted_ms;
    },
    get pending() {
      return server?.pendingRequests ?? 0;
    },
    url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`,
    port,
    refuseNew() {
      stopping = true;
    },
    async stop(force) {
      await Promise.all([server?.stop(force), handed?.stop(force)]);
    },
  };
}

/** @throws Error when anybody listens there. */
function assertFree(hostname: string, port: number): void {
  if (port === 0) return;
  const probe = Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response() });
  void probe.stop(true);
}
