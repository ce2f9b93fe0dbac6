import { createOperations } from "../admin/run-operations.ts";
import { createAdminSessions } from "../admin/sessions.ts";
import { systemTimers } from "../core/clock.ts";
import { isLoopback } from "../core/customer-network.ts";
import { createAdminAPI } from "../http/admin-api.ts";
import { createAdminPages } from "../http/admin-pages.ts";
import type { FreeRoute } from "../http/free-route.ts";
import type { Core, RouteParts, StartOptions } from "./parts.ts";

export interface Admin {
  readonly routes: readonly FreeRoute[];
  /** Ends every session, and with it every page that is kept up to date. */
  close(): void;
}

/** The operator's API and pages: made once, because who is logged in stays so over a reload. */
export function composeAdmin(options: StartOptions, core: Core, parts: RouteParts): Admin {
  const { config, clock, log, version, timers = systemTimers } = options;
  const { operator_token, identity } = core;
  const { responder, public_url } = parts.listener;
  const operations = createOperations(options, core, parts);
  const { commands } = parts.gate.prepaid;
  const api = createAdminAPI({ responder, operator_token, operations, commands, version, url: public_url });
  const sessions = createAdminSessions({ clock, operator_token });
  const pages = createAdminPages({
    operations,
    keyDoor: api.keyDoor,
    sessions,
    node_name: config.node.name,
    node_id: identity.node_id,
    enabled: config.admin.enabled,
    is_published: isPublished(options),
    is_https: public_url.startsWith("https:"),
    timers,
    isLoopback,
    log: log.info,
  });
  return { routes: [...api.routes, ...pages], close: sessions.close };
}

/** A proxy is at work where the node has an address for the world, or has proxies configured. */
export function isPublished({ config }: Pick<StartOptions, "config">): boolean {
  const { public_url } = config.node;
  const is_public = public_url !== undefined && !isLoopback(new URL(public_url).hostname.replace(/^\[|\]$/g, ""));
  return is_public || config.server.trusted_proxies.length > 0;
}
