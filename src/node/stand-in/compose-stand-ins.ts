import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { ParsedParams } from "../../catalog/params.ts";
import { systemTimers } from "../../core/clock.ts";
import type { NodeIdentity } from "../../core/identity.ts";
import { parseUSD } from "../../core/money.ts";
import { once } from "../../core/once.ts";
import { readSecretVariable } from "../../core/secrets.ts";
import type { FreeRoute } from "../../http/free-route.ts";
import { createPeerRoutes, type PeerRouteOptions } from "../../http/peer-routes.ts";
import type { NodeSigner, WritableRecords } from "../../records/record-chain.ts";
import { listOrigins } from "../../trust/ask-peers.ts";
import { createNodeSigner } from "../../trust/node-signer.ts";
import { createStandInBook } from "../../trust/stand-in-book.ts";
import { nameStandInCall, readStandInPath, STAND_IN_PATH } from "../../trust/stand-in-path.ts";
import { createBuyer } from "../buyer.ts";
import type { Core, StartOptions } from "../parts.ts";
import { createPayeeDesk } from "./peer-desk.ts";
import { createStandIns, type NodeStandIns } from "./stand-ins.ts";

interface StandInParts {
  readonly identity: NodeIdentity;
  readonly records: WritableRecords;
  readonly signer: NodeSigner;
}

/** Who stands in for this node's sources; null where its operator named no products, or no wallet that pays. */
export function composeStandIns(
  { config, clock, log, sandbox, timers = systemTimers }: StartOptions,
  { identity, records, signer }: StandInParts,
): NodeStandIns | null {
  const { urls, standin } = config.peers;
  if (standin.products.length === 0) return null;
  const key = readSecretVariable(standin.wallet_key_env);
  if (key === null && sandbox === null) {
    log.error({ event: "stand_ins_off", hint: "no wallet pays peers: set [peers.standin] wallet_key_env" });
    return null;
  }
  return createStandIns({
    clock,
    log,
    signer,
    sandbox: sandbox !== null,
    elapsed_ms: timers.elapsed_ms,
    own_id: identity.node_id,
    origins: listOrigins(urls),
    products: standin.products,
    max_share_pct: BigInt(Math.floor(standin.max_share * 100 + 1e-9)),
    daily_max: parseUSD(standin.daily_usd),
    book: createStandInBook({ records, signer, now_ms: clock.now }),
    prove: createPayeeDesk(clock.now),
    // In a sandbox a throw-away wallet will do.
    buyer: once(() => createBuyer(clock.now, key)),
  });
}

/** `/peers`: who they are, and what this node's own purchases say of them. */
export const composePeerRoutes = (
  { config, clock }: StartOptions,
  { identity, stand_ins }: Core,
  made: Pick<PeerRouteOptions, "responder" | "stamp">,
): readonly FreeRoute[] =>
  createPeerRoutes({
    ...made,
    signer: createNodeSigner(identity),
    now_ms: clock.now,
    peers: async () =>
      stand_ins?.peers() ??
      listOrigins(config.peers.urls).map((url) => ({ url, node_id: null, score: null, evidence: [] })),
  });

/** The request with the nodes it came through, where a node makes it for another's buyer. */
export function readCameThrough(
  headers: Headers,
  { product, params }: { readonly product: CatalogProduct; readonly params: ParsedParams },
): ParsedParams {
  const came_by = headers.get(STAND_IN_PATH);
  if (came_by === null) return params;
  const came_through = readStandInPath(came_by, nameStandInCall(product.path, params.key));
  // Of a path that is none nobody knows where it was: the call is answered, and passed on to nobody.
  return came_through === null ? { ...params, came_through } : { ...params, came_through, came_by };
}
