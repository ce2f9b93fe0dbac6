import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import { type NodeError, toNodeError, UpstreamError } from "../core/errors.ts";
import { createSingleFlight } from "../core/single-flight.ts";
import type { CatalogProduct } from "./catalog.ts";
import { ownLanguage } from "./gist.ts";
import { type Answerer, renderAnswer } from "./make-answer.ts";
import type { ParsedParams } from "./params.ts";
import { getNodeIds, type StandInAnswer, type StandIns } from "./stand-in.ts";

/** Nodes that one answer may come through, the one that sells it left out. */
const NODES_MAX = 2;
const KEPT_MAX = 1_000;
const KEPT_BYTES_MAX = 16_000_000;

/** An answer of a peer as this node sells it. */
interface Answer {
  readonly body: string;
  readonly as_of_ms: number;
  readonly expires_at_ms: number;
}

interface Bought {
  readonly made: StandInAnswer;
  readonly answer: Answer;
  /** The product at the time of the purchase: a reload may put another one under its path. */
  readonly by: unknown;
}

/** Answers of peers in the place of this node's own. */
export interface StoodIn {
  /** An answer bought a moment ago that is as fresh as this node's own would be; null otherwise. */
  fresh(product: CatalogProduct, request: ParsedParams): Answer | null;
  /** The answer of a peer. @throws the error it was given, when no peer has one. */
  buy(call: Call, error: unknown): Promise<Answer>;
  /** Told of an answer made here. */
  noteOwn(product: CatalogProduct, request: ParsedParams, body: string): void;
}

interface Call {
  readonly product: CatalogProduct;
  readonly request: ParsedParams;
  /** The last answer of this node's own, whatever its age. */
  readonly own: string | null;
}

export interface StoodInOptions extends Answerer {
  readonly clock: Clock;
  readonly stand_ins: StandIns;
  readonly onBought: (product: CatalogProduct, answer: Answer) => void;
}

/**
 * Whether a run failed for want of a source: no source answered, or no answer was usable. Failures that the request
 * caused, this node's own limits and a product's own fault do not count.
 */
export function isSourceDead(error: NodeError): boolean {
  const { code, options } = error;
  if (code !== "upstream_unavailable" && code !== "upstream_bad_response") return false;
  return options.own_limit !== true && options.of_request !== true && options.passed_on === undefined;
}

/**
 * Whether a call may be passed on to a peer at all: one that came through two nodes, through this one or through an
 * unknown number may not.
 */
const mayPassOn = ({ came_through }: ParsedParams, node_id: string): boolean =>
  came_through === undefined ||
  (came_through !== null && came_through.length < NODES_MAX && !came_through.includes(node_id));

const keyOf = (product: CatalogProduct, { key }: ParsedParams): string => `${product.path} ${key}`;

export function createStoodIn({ clock, stand_ins, onBought, ...answerer }: StoodInOptions): StoodIn {
  const kept = new LRUCache<string, Bought>({
    max: KEPT_MAX,
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ answer }, key) => Buffer.byteLength(answer.body) + key.length,
  });
  const flights = createSingleFlight<Answer | null>();

  /** A call on behalf of a node is not sold that node's own answer, nor one that came through many nodes. */
  const isFor = ({ came_through }: ParsedParams, { made }: Bought): boolean => {
    if (came_through === undefined) return true;
    const ids = getNodeIds(made.via);
    return came_through !== null && ids.length < NODES_MAX && !ids.some((id) => came_through.includes(id));
  };

  async function buy(call: Call): Promise<Answer | null> {
    const { product } = call;
    const made = await stand_ins.buy(call);
    if (made === null) return null;
    const { via, warnings, data, as_of_ms } = made;
    const now_ms = clock.now();
    const source = { provider: "peer", url: via.url, fetched_at: new Date(now_ms).toISOString(), ok: true } as const;
    const produced = {
      as_of_ms,
      generated_at_ms: now_ms,
      data,
      via,
      lang: ownLanguage(call.request.params),
      sources: [source],
      warnings: [`via: made by the peer ${via.node_id}, as this node's own sources are dead`, ...warnings],
    };
    const body = renderAnswer(product, produced, answerer);
    const answer = { body, as_of_ms, expires_at_ms: made.generated_at_ms + product.ttl_ms };
    kept.set(keyOf(product, call.request), { made, answer, by: product.definition.fetch });
    onBought(product, answer);
    return answer;
  }

  return {
    fresh(product, request) {
      const found = kept.get(keyOf(product, request));
      if (found === undefined || product.ttl_ms === 0 || found.by !== product.definition.fetch) return null;
      const { answer } = found;
      const now_ms = clock.now();
      if (product.max_age_ms !== null && now_ms - answer.as_of_ms > product.max_age_ms) return null;
      const is_fresh = now_ms < answer.expires_at_ms && answer.expires_at_ms - now_ms <= product.ttl_ms;
      return is_fresh && isFor(request, found) ? answer : null;
    },
    async buy(call, error) {
      const { product, request } = call;
      if (!stand_ins.covers(product) || !mayPassOn(request, answerer.node_id)) throw error;
      const told = error instanceof UpstreamError ? toNodeError([error], product.id) : (error as NodeError);
      if (!isSourceDead(told)) throw error;
      const path = request.came_through?.join(" ") ?? "";
      // What is not kept belongs to who asked for it.
      const bought = await (product.ttl_ms === 0
        ? buy(call)
        : flights.run(`${keyOf(product, request)}\n${path}`, () => buy(call)));
      if (bought === null) throw error;
      return bought;
    },
    noteOwn(product, request, body) {
      const found = kept.get(keyOf(product, request));
      if (found === undefined) return;
      kept.delete(keyOf(product, request));
      if (found.by === product.definition.fetch) stand_ins.compare({ product, request, own: body }, found.made);
    },
  };
}
