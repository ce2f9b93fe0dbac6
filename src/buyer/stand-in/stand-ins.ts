import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { ParsedParams } from "../../catalog/params.ts";
import type { StandInAnswer, StandInCall, StandIns } from "../../catalog/stand-in.ts";
import { tierOf } from "../../catalog/tiers.ts";
import { messageOf } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import { parseJSON } from "../../core/json-values.ts";
import type { NodeSigner } from "../../records/record-chain.ts";
import type { Log } from "../../telemetry/log.ts";
import { compareAnswers } from "../../trust/compare-answers.ts";
import { type PeerScore, SCORED_FOR_MS, scorePeer, sortPeers } from "../../trust/peer-score.ts";
import type { StandInEvidence } from "../../trust/stand-in-book.ts";
import { addStandInHop, nameStandInCall } from "../../trust/stand-in-path.ts";
import type { NodeOwnChannels } from "../own-channels/own-channels.ts";
import { type BuyParts, buyFromPeer, type NotBought, type NotBoughtReason } from "./buy-from-peer.ts";

export interface StandInOptions extends BuyParts {
  readonly channels: NodeOwnChannels | null;
  /** Addresses of peers, without a slash at their end. */
  readonly origins: readonly string[];
  readonly products: readonly string[];
  /** In hundredths of this node's own price. */
  readonly max_share_pct: bigint;
  readonly signer: NodeSigner;
  readonly log: Pick<Log, "info" | "warn" | "error">;
}

/** What was done since the node started. */
export interface StandInCounts {
  readonly bought: number;
  readonly spent: bigint;
  /** Paid for answers that could not be sold. */
  readonly lost: bigint;
  /** Peers that did not stand in, by why. */
  readonly refused: ReadonlyMap<NotBoughtReason, number>;
}

export interface PeerStanding {
  readonly url: string;
  /** As it was proven when it was last bought from; null before. */
  readonly node_id: string | null;
  readonly score: PeerScore | null;
  readonly evidence: readonly StandInEvidence[];
}

export interface NodeStandIns extends StandIns {
  counts(): StandInCounts;
  spentToday(): Promise<bigint>;
  /** Channels that peers are paid from; null where each call is paid separately. */
  readonly channels: NodeOwnChannels | null;
  peers(): Promise<readonly PeerStanding[]>;
  /** Whether a buyer of this product may be answered although its own sources are dead. */
  isOpen(product: CatalogProduct): boolean;
}

/** Longer than any honest peer takes; the buyer has waited for this node's own sources before. */
const BUY_WITHIN_MS = 20_000;
const TARGET_CHARS_MAX = 1_900;
/** After a day's sum was spent, or no peer stood in, the product counts as dead for this long. */
const SHUT_FOR_MS = 30_000;

export function createStandIns(options: StandInOptions): NodeStandIns {
  const { book, clock, log, signer, own_id } = options;
  const counts = { bought: 0, spent: 0n, lost: 0n, refused: new Map<NotBoughtReason, number>() };
  /** Who answers at an address, as it was proven when it was last bought from. */
  const known = new Map<string, string>();
  const shut_until = new Map<string, number>();

  async function readScores(): Promise<(node_id: string) => PeerScore> {
    const since_ms = Math.max(0, clock.now() - SCORED_FOR_MS);
    const seen = { purchases: await book.purchases(since_ms), checks: await book.checks(since_ms) };
    for (const { url, node_id } of seen.purchases) known.set(url, node_id);
    return (node_id) => scorePeer(node_id, seen, clock.now());
  }

  function noteRefused(product: CatalogProduct, url: string, { reason, why, lost, node_id }: NotBought): void {
    counts.refused.set(reason, (counts.refused.get(reason) ?? 0) + 1);
    counts.lost += lost;
    log.warn({
      event: "stand_in_refused",
      product: product.id,
      peer: url,
      node_id,
      reason,
      why,
      lost: lost.toString(),
    });
  }

  /** What this node made itself against what was bought, where both are of the same data. */
  async function hold(
    { product }: Pick<StandInCall, "product">,
    own: string | null,
    bought: StandInAnswer,
  ): Promise<string | null> {
    const known_own = own === null ? null : readOwn(own);
    if (known_own === null || !isOfSameData(known_own, bought)) return null;
    const { via } = bought;
    const { node_id, url, receipt, response_sha256: peer_sha256 } = via;
    const differences = compareAnswers(product.definition.data, known_own.data, bought.data);
    if (differences.length === 0) {
      await book.noteEqual(node_id, product.id);
      return null;
    }
    const said = { node_id, url, product: product.id, as_of: via.answer.as_of, receipt, peer_sha256 };
    await book.accuse({ ...said, own_sha256: sha256Hex(own ?? ""), differences });
    log.error({ event: "peer_lies", product: product.id, peer: url, node_id, differences });
    const places = differences.map(({ path }) => path).join(", ");
    return `it differs from this node's own answer of the same data at ${places}`;
  }

  async function buyFrom(origin: string, call: StandInCall, asked: PeerCall): Promise<StandInAnswer | null> {
    const { product, request } = call;
    const tell = (not: NotBought): null => {
      noteRefused(product, origin, not);
      return null;
    };
    const found = await buyFromPeer(options, {
      origin,
      product,
      request,
      ...asked,
      whyNot: async (node_id) => {
        known.set(origin, node_id);
        if (node_id === own_id) return "it is this node";
        if (request.came_through?.includes(node_id)) return "the call came from there";
        const { dropped_until_ms } = (await readScores())(node_id);
        return dropped_until_ms === null ? null : "it sold something else than this node's own data";
      },
      check: (bought) => hold(call, call.own, bought),
    });
    if ("reason" in found) return tell(found);
    counts.bought += 1;
    counts.spent += found.amount;
    const { node_id } = found.bought.via;
    const told = { product: product.id, peer: origin, node_id, amount_atomic: found.amount.toString() };
    log.info({ event: "stand_in", ...told });
    return found.bought;
  }

  async function buy(call: StandInCall): Promise<StandInAnswer | null> {
    const { product, request } = call;
    const target = renderTarget(product, request);
    if (target === null) return null;
    const named = nameStandInCall(product.path, request.key);
    const asked: PeerCall = {
      target,
      path: addStandInHop(request.came_by ?? null, named, signer),
      price_max: (tierOf(product, request).price_atomic * options.max_share_pct) / 100n,
    };
    const scoreOf = await readScores();
    const peers = options.origins.map((url) => ({ url, score: scoreOf(known.get(url) ?? "") }));
    const until = options.elapsed_ms() + BUY_WITHIN_MS;
    for (const { url, score } of sortPeers(peers)) {
      if (score.dropped_until_ms !== null) continue;
      if (options.elapsed_ms() > until) break;
      const bought = await buyFrom(url, call, asked);
      if (bought !== null) return bought;
    }
    if (request.came_through === undefined) shut_until.set(product.path, clock.now() + SHUT_FOR_MS);
    return null;
  }

  const covers = (product: CatalogProduct): boolean =>
    options.products.includes(product.path) && whyNoStandIn(product) === null;

  return {
    covers,
    async buy(call) {
      try {
        return await buy(call);
      } catch (error) {
        log.error({ event: "stand_in_failed", product: call.product.id, error: messageOf(error) });
        return null;
      }
    },
    compare(call, bought) {
      hold(call, call.own, bought).catch((error: unknown) => {
        log.error({ event: "stand_in_failed", product: call.product.id, error: messageOf(error) });
      });
    },
    counts: () => counts,
    spentToday: book.spentToday,
    channels: options.channels,
    async peers() {
      const scoreOf = await readScores();
      const checks = await book.checks(Math.max(0, clock.now() - SCORED_FOR_MS));
      return options.origins.map((url) => {
        const node_id = known.get(url) ?? null;
        const evidence = checks.flatMap((one) => (one.node_id === node_id && one.evidence ? [one.evidence] : []));
        return { url, node_id, score: node_id === null ? null : scoreOf(node_id), evidence };
      });
    },
    isOpen: (product) => covers(product) && clock.now() >= (shut_until.get(product.path) ?? 0),
  };
}

interface PeerCall {
  readonly target: string;
  readonly path: string;
  readonly price_max: bigint;
}

/** Why a peer's answer could not be sold as this node's own; null where it can. */
export function whyNoStandIn({ definition, methods }: CatalogProduct): string | null {
  if (definition.plan !== undefined) return "it sells keys";
  if (definition.form !== undefined) return "its answers stand in no envelope";
  if (definition.uses_payer === true) return "its answer is its payer's own";
  if (definition.uses_node === true) return "its answer is about the node that makes it";
  if (definition.stranger_of !== undefined) return "it asks whom its buyer names";
  if (definition.passed_on !== undefined) return "it passes its buyer's money on";
  return methods.includes("GET") ? null : "it is not sold by GET";
}

/** The call as any node reads it; null where it cannot be written as a query that means the same. */
function renderTarget(product: CatalogProduct, { params, key }: ParsedParams): string | null {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    query.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  if (product.definition.usual_view !== undefined) query.set("view", "full");
  const search = query.toString();
  try {
    if (product.params.fromQuery(search).key !== key) return null;
  } catch {
    return null;
  }
  const target = search === "" ? product.path : `${product.path}?${search}`;
  return target.length > TARGET_CHARS_MAX ? null : target;
}

interface OwnAnswer {
  readonly as_of: string;
  readonly providers: string;
  readonly data: unknown;
}

const providersOf = (sources: unknown): string =>
  Array.isArray(sources)
    ? [...new Set(sources.flatMap((one) => (one?.ok === true ? [String(one.provider)] : [])))].sort().join(" ")
    : "";

function readOwn(body: string): OwnAnswer | null {
  const value = parseJSON(body) as { as_of?: unknown; sources?: unknown; warnings?: unknown; data?: unknown } | null;
  if (typeof value?.as_of !== "string") return null;
  return { as_of: value.as_of, providers: providersOf(value.sources), data: value.data };
}

/**
 * Only answers of the same moment from the same sources must be the same, so nothing else is held against a peer. One
 * that sold somebody else's answer is not judged by it.
 */
const isOfSameData = ({ as_of, providers }: OwnAnswer, { via: { answer } }: StandInAnswer): boolean =>
  answer.via === undefined && as_of === answer.as_of && providers !== "" && providers === providersOf(answer.sources);
