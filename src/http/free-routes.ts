import { renderTime } from "../core/clock.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { createQuoteRoute } from "./quote-route.ts";
import { createTryRoutes, type TryRouteOptions } from "./try-route.ts";

/** How the node is doing, as health checks ask. */
export interface HealthState {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** A job that has not run well since the start, and when it is due again; ISO 8601. */
export interface Coming {
  readonly id: string;
  readonly state: string;
  readonly next_run: string | null;
}

export interface FreeRouteOptions extends Omit<TryRouteOptions, "stamp"> {
  readonly ledger: Ledger;
  readonly node_id: string;
  readonly sandbox: boolean;
  readonly body_bytes_max: number;
  readonly model: () => SurfaceModel;
  /** Facts for /live, gathered per call. */
  readonly live: () => Promise<Record<string, unknown>>;
  /** How the node is doing. */
  readonly state: () => HealthState;
  /** What a start still owes. */
  readonly coming: () => readonly Coming[];
}

/** What the node says about itself per call: health, previews at a glance, quotes. */
export function createFreeRoutes(options: FreeRouteOptions): readonly FreeRoute[] {
  const { responder, ledger } = options;
  const json = createJSONAnswer(responder, "no-store");
  const stamp = () => ({
    node_id: options.node_id,
    generated_at: renderTime(options.now_ms()),
    ...(options.sandbox ? { sandbox: true } : {}),
  });
  const get = (path: string, handler: Handler): FreeRoute => ({ path, methods: ["GET"], handler });
  const health = (path: string, handler: Handler): FreeRoute =>
    get(path, Object.assign(handler, { unlimited: true as const, health: true as const }));

  return [
    health("/healthz", (http_call) => {
      const { trouble } = ledger;
      return json(
        http_call,
        { status: trouble ? "failing" : "ok", ...(trouble ? { reason: trouble } : {}) },
        trouble ? 503 : 200,
      );
    }),
    health("/readyz", (http_call) => {
      const { ready, reasons } = options.state();
      const is_verbose = new URL(http_call.request.url).searchParams.has("verbose");
      const more = is_verbose ? { coming: options.coming() } : {};
      return json(http_call, { ready, reasons, ...more }, ready ? 200 : 503);
    }),
    get("/live", async (http_call) => json(http_call, { ...stamp(), ...(await options.live()) })),
    ...createTryRoutes({ ...options, stamp }),
    createQuoteRoute({ ...options, stamp }),
  ];
}
