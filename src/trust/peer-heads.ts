import { Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { parseJSON } from "../core/json-values.ts";
import type { WritableRecords } from "../records/record-chain.ts";
import { fetchJSON, findKeyFault, isSandbox, listOrigins, type PeersOptions } from "./ask-peers.ts";
import { checkJoin } from "./check-join.ts";
import { HEAD_CHAINS, type HistoryHeads } from "./history-heads.ts";
import { createPeerHeadStore, type Inconsistency, type SeenHead } from "./peer-head-store.ts";
import {
  type Contradiction,
  findContradiction,
  isSameState,
  readContradiction,
  readSignedHead,
  type SignedHead,
  toKeptHead,
} from "./signed-heads.ts";

/** Keeps the heads of other nodes' histories, and compares them with later ones and with those seen by others. */
export interface PeerHeads {
  /** Asks every peer for its heads and for the heads it saw, and reports contradictions to the operator. */
  ask(): Promise<void>;
  /** Newest heads of a chain by peer, last seen first. */
  seen(chain: string): Promise<readonly SeenHead[]>;
  /** Contradicting pairs of signed heads of a chain, newest first. */
  inconsistencies(chain: string): Promise<readonly Inconsistency[]>;
  /** Whether such a pair of a given node is kept, in any chain. */
  isInconsistent(node_id: string): Promise<boolean>;
  /** The key with which a current peer signs a chain's heads, according to its address; null for other nodes. */
  findKey(node_id: string, chain: string): Promise<string | null>;
}

export interface PeerHeadOptions extends Omit<PeersOptions, "isInconsistent"> {
  readonly records: WritableRecords;
  /** The node's own heads, to compare with what others saw of it. */
  readonly heads: Pick<HistoryHeads, "join">;
  readonly now_ms: () => number;
  readonly onInconsistent: (found: PeerFinding) => void;
}

/** For the operator. */
export interface PeerFinding extends Readonly<Record<string, unknown>> {
  readonly node_id: string;
  readonly chain: string;
  readonly kind: Contradiction;
  readonly urls: readonly [string, string];
}

const SHOWN_MAX = 100;
const PATH = "/track-record/heads";
/** The most foreign sightings of one node compared per round, so that nobody can cause endless calls. */
const COMPARED_MAX = 5;
const HOUR_MS = 3_600_000;

const checkList = compileSchema(
  Type.Object({
    seen: Type.Array(Type.Object({ head: Type.Unknown() }), { maxItems: SHOWN_MAX }),
    inconsistencies: Type.Array(Type.Object({ heads: Type.Array(Type.Unknown(), { maxItems: 2 }) }), {
      maxItems: SHOWN_MAX,
    }),
  }),
);

interface JoinFrom {
  readonly length: number;
  readonly outcomes: number | null;
}
/** Asks a node for the proof that its history continues a head; undefined if it gives none. */
type AskJoin = (from: JoinFrom) => Promise<unknown>;

/** A node that answered in this round, with its signed head. */
interface Answering {
  readonly url: string;
  readonly head: SignedHead;
  readonly askJoin: AskJoin;
}
interface PeerHead {
  readonly url: string;
  readonly head: SignedHead;
}

const headOf = (joined: unknown): unknown =>
  typeof joined === "object" && joined !== null && "head" in joined ? joined.head : null;
const keyOf = ({ record: { node_id, of } }: SignedHead): string => `${of} ${node_id}`;
/** Shown instead of an address. */
const OWN = "this node";
const FIRST: JoinFrom = { length: 1, outcomes: null };

/** Whether a node's history continues one of its heads: a contradiction, or the newer joined head, if any. */
async function judge(
  held: SignedHead,
  { head: newest, askJoin }: Pick<Answering, "head" | "askJoin">,
): Promise<{ readonly kind: Contradiction; readonly against: SignedHead } | { readonly joined: SignedHead | null }> {
  const { node_id, of: chain, chain_length: length, outcome_log_size } = held.record;
  const told = findContradiction(held, newest);
  if (told !== null) return { kind: told, against: newest };
  // A head older than the kept one, or signed within the same minutes, proves nothing.
  if (newest.record.chain_length < length || newest.record.outcome_log_size < outcome_log_size) return { joined: null };
  const joined = await askJoin({ length, outcomes: outcome_log_size === 0 ? null : outcome_log_size });
  const now = readSignedHead(headOf(joined));
  if (now === null || keyOf(now) !== keyOf(held)) return { joined: null };
  const kind = findContradiction(held, now) ?? findContradiction(newest, now);
  if (kind !== null) return { kind, against: now };
  if (now.record.chain_length < length || now.record.outcome_log_size < outcome_log_size) return { joined: null };
  const { state } = checkJoin(toKeptHead(held), joined, { node_id, chain });
  if (state === "broken") return { kind: "unjoined", against: now };
  return { joined: state === "proven" ? now : null };
}

export function createPeerHeads(options: PeerHeadOptions): PeerHeads {
  const { ask, node_id: own_id, now_ms } = options;
  const origins = listOrigins(options.urls);
  const store = createPeerHeadStore(options.records, now_ms);
  /** Sightings of a node ahead of the head it shows here, which it could not be asked about yet. */
  const waiting = new Map<string, readonly PeerHead[]>();

  const askJSON = async (url: string): Promise<unknown> => {
    const answer = await fetchJSON(ask, url);
    const body = "refused" in answer ? undefined : parseJSON(answer.value);
    return isSandbox(body) && !options.sandbox ? undefined : body;
  };
  const askPeerJoin =
    (origin: string, chain: string): AskJoin =>
    async ({ length, outcomes }) => {
      const log = outcomes === null ? "" : `&from_outcomes=${outcomes}`;
      const body = await askJSON(`${origin}${PATH}?chain=${chain}&from=${length}${log}`);
      return typeof body === "object" && body !== null && "joined" in body ? body.joined : undefined;
    };
  const askOwnJoin =
    (chain: string): AskJoin =>
    async (from) =>
      JSON.parse(JSON.stringify(await options.heads.join(chain, from)));

  async function accuse(kind: Contradiction, [one, other]: readonly [PeerHead, PeerHead]): Promise<void> {
    const { node_id, of: chain } = one.head.record;
    const urls = [one.url, other.url] as const;
    const is_new = await store.accuse({ node_id, chain, kind, urls, heads: [one.head, other.head] });
    if (is_new) options.onInconsistent({ node_id, chain, kind, urls });
  }

  /** @returns null if the node shows no head for which its own address vouches. */
  async function findAnswering(origin: string, chain: string): Promise<Answering | null> {
    const askJoin = askPeerJoin(origin, chain);
    const head = readSignedHead(headOf(await askJoin(FIRST)));
    if (head === null || head.record.of !== chain || head.record.node_id === own_id) return null;
    return (await findKeyFault(ask, origin, head.public_key)) === null ? { url: origin, head, askJoin } : null;
  }

  /** Compares a peer with its kept head, and keeps a head that continues it. */
  async function checkPeer(peer: Answering): Promise<void> {
    const { node_id, of } = peer.head.record;
    const kept = await store.find(node_id, of);
    if (kept === null) return store.note(peer.url, peer.head);
    const judged = await judge(kept.head, peer);
    if ("kind" in judged) await accuse(judged.kind, [kept, { url: peer.url, head: judged.against }]);
    else if (judged.joined !== null) await store.note(peer.url, judged.joined);
  }

  /** A peer's sightings of nodes that this node knows; other sightings are ignored. */
  async function readTold(origin: string, chain: string, known: ReadonlyMap<string, Answering>): Promise<PeerHead[]> {
    const body = await askJSON(`${origin}${PATH}?chain=${chain}`);
    if (!checkList.Check(body)) return [];
    const read = (value: unknown): SignedHead[] => {
      const head = readSignedHead(value);
      return head && head.record.of === chain && known.has(keyOf(head)) ? [head] : [];
    };
    for (const { heads } of body.inconsistencies) {
      const found = readContradiction(heads);
      if (found === null || !found.heads.every((head) => head.record.of === chain && known.has(keyOf(head)))) continue;
      // The two signatures are enough, whoever shows them.
      const [one, other] = found.heads.map((head) => ({ url: origin, head }));
      if (one && other) await accuse(found.kind, [one, other]);
    }
    // Only one sighting per node is taken from each peer, so that no peer crowds out the others.
    const by_node = new Map(body.seen.flatMap(({ head }) => read(head)).map((head) => [keyOf(head), head]));
    return [...by_node.values()].map((head) => ({ url: origin, head }));
  }

  /** Compares others' sightings of a node with its head here. */
  async function compareTold(told: readonly PeerHead[], node: Answering): Promise<void> {
    const kept = (await store.find(node.head.record.node_id, node.head.record.of))?.head ?? node.head;
    const key = keyOf(node.head);
    const all = [...(waiting.get(key) ?? []), ...told];
    const others = all.filter(({ head }) => !isSameState(head, kept) && !isSameState(head, node.head));
    const different = others.filter(
      ({ head }, index) => !others.slice(0, index).some((earlier) => isSameState(earlier.head, head)),
    );
    // The start rotates every hour, so that each node gets its turn.
    const first = different.length === 0 ? 0 : Math.floor(now_ms() / HOUR_MS) % different.length;
    const in_turn = [...different.slice(first), ...different.slice(0, first)].slice(0, COMPARED_MAX);
    const left: PeerHead[] = [];
    for (const one of in_turn) {
      const against_kept = findContradiction(one.head, kept);
      if (against_kept !== null) {
        await accuse(against_kept, [one, { url: node.url, head: kept }]);
        continue;
      }
      const judged = await judge(one.head, node);
      if ("kind" in judged) await accuse(judged.kind, [one, { url: node.url, head: judged.against }]);
      else if (judged.joined === null) left.push(one);
    }
    if (left.length === 0) waiting.delete(key);
    else waiting.set(key, left);
  }

  async function findOwn(chain: string): Promise<Answering[]> {
    const askJoin = askOwnJoin(chain);
    const head = readSignedHead(headOf(await askJoin(FIRST)));
    return head === null ? [] : [{ url: OWN, head, askJoin }];
  }

  async function askChain(chain: string): Promise<void> {
    const found = await Promise.all(origins.map((origin) => findAnswering(origin, chain)));
    const peers = found.filter((peer): peer is Answering => peer !== null);
    for (const peer of peers) await checkPeer(peer);
    const nodes = [...peers, ...(await findOwn(chain))];
    const known = new Map(nodes.map((node) => [keyOf(node.head), node]));
    const told = (await Promise.all(peers.map(({ url }) => readTold(url, chain, known)))).flat();
    for (const [key, node] of known) {
      await compareTold(
        told.filter(({ head }) => keyOf(head) === key),
        node,
      );
    }
  }

  const ofChain = async (chain: string) => (await store.seen()).filter(({ head }) => head.record.of === chain);
  return {
    async ask() {
      if (origins.length === 0) return;
      for (const chain of HEAD_CHAINS) await askChain(chain);
    },
    async seen(chain) {
      const rows = await ofChain(chain);
      return rows.sort((one, other) => Date.parse(other.seen_at) - Date.parse(one.seen_at)).slice(0, SHOWN_MAX);
    },
    async inconsistencies(chain) {
      const all = (await store.inconsistencies()).filter((one) => one.chain === chain);
      return all.reverse().slice(0, SHOWN_MAX);
    },
    async findKey(node_id, chain) {
      const seen = await store.find(node_id, chain);
      return seen && origins.includes(seen.url) ? seen.head.public_key : null;
    },
    async isInconsistent(node_id) {
      return (await store.inconsistencies()).some((one) => one.node_id === node_id);
    },
  };
}
