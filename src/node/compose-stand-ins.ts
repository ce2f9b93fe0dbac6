import { createBuyer } from "../buyer/buyer.ts";
import {
  createOwnChannels,
  type NodeOwnChannels,
  type OwnChannelsOptions,
} from "../buyer/own-channels/own-channels.ts";
import { createIdleRefunds } from "../buyer/own-channels/refund-idle.ts";
import { createPayeeDesk } from "../buyer/stand-in/peer-desk.ts";
import { createStandIns, type NodeStandIns } from "../buyer/stand-in/stand-ins.ts";
import { createUptoDesk } from "../buyer/stand-in/upto-desk.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { systemTimers } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { parseUSD } from "../core/money.ts";
import { once } from "../core/once.ts";
import { readSecretVariable } from "../core/secrets.ts";
import type { FreeRoute } from "../http/free-route.ts";
import { createPeerRoutes, type PeerRouteOptions } from "../http/peer-routes.ts";
import type { NodeSigner, WritableRecords } from "../records/record-chain.ts";
import type { OwnChannelRows } from "../stores/own-channel-rows.ts";
import { listOrigins } from "../trust/ask-peers.ts";
import { createNodeSigner } from "../trust/node-signer.ts";
import { createStandInBook } from "../trust/stand-in-book.ts";
import { nameStandInCall, readStandInPath, STAND_IN_PATH } from "../trust/stand-in-path.ts";
import type { Core, StartOptions } from "./parts.ts";

interface StandInParts {
  readonly identity: NodeIdentity;
  readonly records: WritableRecords;
  readonly signer: NodeSigner;
  readonly own_channels: OwnChannelRows;
}

/** Who stands in for this node's sources; null where its operator named no products, or no wallet that pays. */
export function composeStandIns(options: StartOptions, parts: StandInParts): NodeStandIns | null {
  const { config, clock, log, sandbox, timers = systemTimers } = options;
  const { identity, records, signer } = parts;
  const { urls, standin } = config.peers;
  if (standin.products.length === 0) return null;
  const key = readSecretVariable(standin.wallet_key_env);
  if (key === null && sandbox === null) {
    log.error({ event: "stand_ins_off", hint: "no wallet pays peers: set [peers.standin] wallet_key_env" });
    return null;
  }
  // In a sandbox a throw-away wallet will do.
  const buyer = once(() => createBuyer(clock.now, key));
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
    buyer,
    channels: composeOwnChannels(options, { rows: parts.own_channels, buyer }),
    upto: config.peers.upto ? createUptoDesk(clock.now) : null,
  });
}

/** Channels that peers are paid from; null where each call is paid separately. */
function composeOwnChannels(
  { config, clock, log, sandbox, timers = systemTimers }: StartOptions,
  parts: Pick<OwnChannelsOptions, "rows" | "buyer">,
): NodeOwnChannels | null {
  const { enabled, deposit_calls, deposit_max, deposit_all_max, withdraw_delay_max, idle_refund } =
    config.peers.channels;
  if (!enabled) return null;
  const own: OwnChannelsOptions = {
    ...parts,
    clock,
    log,
    elapsed_ms: timers.elapsed_ms,
    rpc_urls: (chain) => (sandbox ? [sandbox.world.rpcUrl(chain)] : (config.chains[chain]?.rpc ?? [])),
    limits: {
      deposit_calls,
      deposit_max: parseUSD(deposit_max),
      deposit_all_max: parseUSD(deposit_all_max),
      withdraw_delay_s_max: Math.floor(parseDuration(withdraw_delay_max) / 1000),
    },
  };
  const channels = createOwnChannels(own);
  const idle_ms = idle_refund === "never" ? Number.POSITIVE_INFINITY : parseDuration(idle_refund);
  const refundIdle = createIdleRefunds(own, { channels, idle_ms });
  return {
    ...channels,
    async refundIdle() {
      await channels.lookAtStuck();
      await refundIdle();
    },
  };
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
  // Where a call under an invalid path came from is unknown: it is answered, but not passed on.
  return came_through === null ? { ...params, came_through } : { ...params, came_through, came_by };
}
