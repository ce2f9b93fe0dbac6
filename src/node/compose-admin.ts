import type { Operations } from "../admin/operations.ts";
import { createAdminAPI } from "../http/admin-api.ts";
import type { FreeRoute } from "../http/free-route.ts";
import type { Core, RouteParts } from "./parts.ts";

/** What the operator asks this node, over HTTP. */
export function composeAdmin({ operator_token }: Core, parts: RouteParts): readonly FreeRoute[] {
  const { responder } = parts.listener;
  const operations: Operations = {
    reload: parts.reload,
  };
  return createAdminAPI({ responder, operator_token, operations });
}
