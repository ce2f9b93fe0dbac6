import type { CatalogProduct } from "./catalog.ts";
import type { Via } from "./envelope.ts";
import type { ParsedParams } from "./params.ts";

/** An answer that a peer made, checked. */
export interface StandInAnswer {
  readonly as_of_ms: number;
  /** When the peer made it: buying it does not make it younger. */
  readonly generated_at_ms: number;
  readonly data: unknown;
  readonly warnings: readonly string[];
  readonly via: Via;
}

/** A call that this node could not answer itself. */
export interface StandInCall {
  readonly product: CatalogProduct;
  readonly request: ParsedParams;
  /** The last answer this node made of the same request itself, whatever its age. */
  readonly own: string | null;
}

/** Buys from peers what cannot be made here. */
export interface StandIns {
  /** Whether the operator allows a peer as a stand-in for this product, and its answer can be sold as this node's. */
  covers(product: CatalogProduct): boolean;
  /** Null when no peer stood in: the refusal stays as it would have been. Never throws. */
  buy(call: StandInCall): Promise<StandInAnswer | null>;
  /** Called with an answer made here for a request that a peer answered before. */
  compare(call: StandInCall & { readonly own: string }, bought: StandInAnswer): void;
}

/** Every node that an answer came through, the nearest first. */
export function getNodeIds({ node_id, answer }: Via): readonly string[] {
  const ids = [node_id];
  // Nobody sells what came through more nodes than two.
  for (let next = answer.via; next !== undefined && ids.length <= 3; next = next.answer.via) ids.push(next.node_id);
  return ids;
}
