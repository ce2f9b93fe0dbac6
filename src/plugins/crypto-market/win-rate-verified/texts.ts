/** How the roots are rebuilt. */
export const MERKLE_NOTE =
  "Trees as in RFC 9162. Leaf of a record: sha256(0x00 | record_hash); of an outcome: sha256(0x00 | record_hash | " +
  "outcome_hash). `proof` holds the subtree hashes without a shown leaf, left to right.";

export const HOW_TO_VERIFY = [
  "`intel-node verify-track-record <url or file>` checks all of it; docs/proof.md says what each claim proves.",
  '1. Ed25519 over "intel-node:win-rate:v1\\n" and payload_canonical, key from /.well-known/did.json.',
  "2. record_hash and outcome_hash: SHA-256 of the canonical JSON (RFC 8785); with `proof` they give both roots.",
  "3. All older records are free: /track-record/evidence. Compare prices with the venue in price_source.",
] as const;

export const LIMITS = [
  "This proves one node_id only: an operator can run several nodes and show the best one.",
  "Times are the node's own: heads that others keep (/track-record/heads) anchor them.",
  "Prices are the venue's at the full hour; nobody's order was filled at them.",
] as const;
