import { renderTime } from "../core/clock.ts";
import { createA2ADoor } from "../doors/a2a/door.ts";
import type { WorkingTasks } from "../doors/a2a/tasks.ts";
import { createWatchTasks } from "../doors/a2a/watch-tasks.ts";
import { createMCPDoor } from "../doors/mcp/door.ts";
import type { FreeRoute } from "../http/free-route.ts";

import type { Sell } from "../sell/sales.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import type { Core, RouteParts, StartOptions } from "./parts.ts";

export interface DoorParts extends RouteParts {
  /** The one way to the gate. */
  readonly sell: Sell;
  /** What the documents were last rendered from: another object whenever they were rendered again. */
  readonly model: () => SurfaceModel;
  /** Paths that cost nothing: a door may answer with what they answer. */
  readonly free: readonly FreeRoute[];
  /** A2A tasks that are being worked on. */
  readonly working: WorkingTasks;
}

/** Doors that speak a protocol of their own over the same catalog and the same gate. */
export function composeDoors(options: StartOptions, core: Core, parts: DoorParts): readonly FreeRoute[] {
  const doors: readonly FreeRoute[] = [composeMCP(options, core, parts), composeA2A(options, core, parts)];
  return doors;
}

function composeMCP({ config, clock, sandbox }: StartOptions, core: Core, parts: DoorParts): FreeRoute {
  const { sell, model, free, listener } = parts;
  const { responder, public_url } = listener;
  const { allowed_origins, key_in_url } = config.mcp;
  // A node without a public address is reached from its own machine only; pages from elsewhere have no business there.
  const is_public = config.node.public_url !== undefined;
  return createMCPDoor({
    responder,
    sell,
    catalog: core.catalog,
    model,
    free,
    public_url,
    body_bytes_max: config.server.body_bytes_max,
    allowed_origins: allowed_origins.length === 0 && is_public ? ["*"] : allowed_origins,
    key_in_url,
    watch_feed: parts.gate.watches?.feed ?? null,
    now_ms: clock.now,
    stamp: () => ({
      node_id: core.identity.node_id,
      generated_at: renderTime(clock.now()),
      ...(sandbox ? { sandbox: true } : {}),
    }),
  });
}

function composeA2A({ config, clock, log }: StartOptions, { catalog, market }: Core, parts: DoorParts): FreeRoute {
  const { sell, model, listener, working, free } = parts;
  const feed = parts.gate.watches?.feed ?? null;
  const { responder, public_url } = listener;
  const { body_bytes_max } = config.server;
  const now_ms = clock.now;
  return createA2ADoor({
    catalog,
    sell,
    responder,
    rows: market.tasks,
    working,
    public_url,
    body_bytes_max,
    model,
    now_ms,
    log,
    watches: feed && createWatchTasks({ free, feed, public_url }),
  });
}
