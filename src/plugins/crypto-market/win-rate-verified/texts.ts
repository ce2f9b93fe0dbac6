/** How the root of the graded outcomes is rebuilt. */
export const MERKLE_NOTE =
  "Graded outcomes in the order of seq; leaf = sha256(0x00 | record_hash | outcome_hash), node = sha256(0x01 | " +
  "left | right) over raw bytes, an odd node moves up unchanged (RFC 6962). Without leaves: sha256 of nothing. " +
  "With more than 200 graded signals the answer holds the newest 200 only; heads and answers kept earlier hold " +
  "the others.";

export const HOW_TO_VERIFY = [
  '1. message = "intel-node:win-rate:v1\\n" + payload_canonical; check the Ed25519 signature with the key that ' +
    "/.well-known/verify-manifest lists under key_id.",
  "2. Write each record and outcome as canonical JSON (RFC 8785), take SHA-256, compare with record_hash and " +
    "outcome_hash; with at most 200 graded signals also rebuild outcomes_root.",
  "3. prev_hash of each record is record_hash of the one before it; the record whose seq is the length of a chain " +
    "head kept earlier must still have that head as its record_hash.",
  "4. Fetch the opens of the entry and exit bars from the venue in price_source (Hyperliquid keeps 5,000 hourly " +
    "bars; later use Bitstamp and allow 30 bps).",
  "5. net_bps = side x (exit / entry - 1) x 10,000, one decimal, less cost_bps; a hit is above 0. Count again.",
  "`intel-node verify-track-record <url or file>` does 1, 2, 3 and 5.",
] as const;

export const LIMITS = [
  "An operator can run several nodes and show the best one: this proves one node_id only.",
  "Times are the node's own: what anchors them are answers and chain heads that buyers keep.",
  "The prices are those of the named venue at the full hour; nobody's order was filled at them.",
] as const;
