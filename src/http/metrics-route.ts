import { messageOf } from "../core/errors.ts";
import type { Log } from "../telemetry/log.ts";
import type { RenderMetrics } from "../telemetry/metrics.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler } from "./http-call.ts";
import { forOperator } from "./operator-door.ts";
import type { Responder } from "./respond.ts";

const PATH = "/metrics";

/** The figures on the node's own address, for who has the operator's token. */
export function createMetricsRoute(
  responder: Responder,
  { render, operator_token }: { readonly render: RenderMetrics; readonly operator_token: string },
): FreeRoute {
  const handler: Handler = async ({ request, request_id }) => {
    const { content_type, body } = await render(request.headers.get("accept"));
    const headers = responder.headers({ "Content-Type": content_type, "Cache-Control": "no-store" });
    headers.set("X-Request-Id", request_id);
    return new Response(body, { headers });
  };
  return { path: PATH, methods: ["GET"], handler: forOperator(operator_token, handler) };
}

export interface MetricsListener {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A separate listener that knows one path: every caller that reaches it may read. Best on loopback or a private
 * address.
 * @throws Error when the port is taken.
 */
export function startMetricsListener(listen: string, render: RenderMetrics, log: Log): MetricsListener {
  const [, hostname = "", port = ""] = /^(.*):(\d+)$/.exec(listen) ?? [];
  const server = Bun.serve({
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port),
    reusePort: false,
    development: false,
    async fetch(request) {
      if (request.method !== "GET" || new URL(request.url).pathname !== PATH) {
        return new Response("Not found\n", { status: 404 });
      }
      const { content_type, body } = await render(request.headers.get("accept"));
      return new Response(body, { headers: { "Content-Type": content_type, "Cache-Control": "no-store" } });
    },
    error(error) {
      log.error({ event: "metrics_failed", error: messageOf(error) });
      return new Response("", { status: 500 });
    },
  });
  return { url: `http://${hostname}:${server.port}${PATH}`, stop: () => server.stop(true) };
}
