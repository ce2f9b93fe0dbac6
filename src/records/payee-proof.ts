/** One thing that was checked of a node's documents. */
export interface ProofStep {
  readonly name: string;
  readonly state: "ok" | "unproven" | "failed";
  readonly detail: string;
}

/** An address that money would go to. */
export interface PayeeAddress {
  /** CAIP-2, in any spelling. */
  readonly network: string;
  readonly pay_to: string;
}

/** What a node's signed documents prove of an address. */
export interface PayeeProof extends PayeeAddress {
  /**
   * What vouches for the address. "wallet": its owner signed for the node's key and address, and so did the key.
   * "manifest": the node's key signed a manifest that names it. "nothing": nobody did, and nothing contradicts.
   * "refused": what is signed contradicts itself, or names other addresses on this network.
   */
  readonly proven_by: "wallet" | "manifest" | "nothing" | "refused";
  /** Null when it is not proven. */
  readonly node_id: string | null;
  /** Whether the node says it is a sandbox: no real money. */
  readonly sandbox: boolean;
  /** What was checked, in order; the words are partly the node's own. */
  readonly steps: readonly ProofStep[];
}
