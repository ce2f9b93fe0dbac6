/** A text and who signed it, as an answer holds them. */
export interface SignedStatement {
  readonly text: string;
  /** base64url. */
  readonly signature: string;
  /** Raw Ed25519 key, base64url. */
  readonly public_key: string;
}

export interface StatementRequest {
  /** Below the node's address, such as "/swarm-vote?preview=1". */
  readonly path: string;
  /** Kind of statement it must have been signed as. */
  readonly kind: string;
  /** Finds the statement in the parsed answer; null if it has no statement. */
  readonly pick: (body: unknown) => SignedStatement | null;
}

/** What one node said: a text its own key signed, or why it does not count. */
export type PeerStatement =
  | { readonly url: string; readonly node_id: string; readonly text: string }
  | { readonly url: string; readonly refused: string };

/** Other nodes the operator named. */
export interface Peers {
  /** How many. */
  readonly count: number;
  /** Asks all of them at once; each counts once, however many addresses it has, and this node never. Never throws. */
  ask(request: StatementRequest): Promise<readonly PeerStatement[]>;
}

export const NO_PEERS: Peers = { count: 0, ask: async () => [] };
