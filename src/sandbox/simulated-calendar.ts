import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import type { GuardedAnswer, GuardedFetch, GuardedRequest } from "../guarded-fetch/types.ts";
import { append, apply, prepend, sha256 } from "../trust/ots/operations.ts";
import { type Timestamp, writeTimestamp } from "../trust/ots/timestamp.ts";

/** Host of the simulated calendar, whose attestations name blocks of a chain that nobody mines. */
export const SIMULATED_CALENDAR = "https://calendar.sandbox.example";

const DIGEST_BYTES = 32;
/** The time until a block is deep enough. */
const ATTESTED_MS = 3_600_000;
const BLOCK_MS = 600_000;
/** Roughly the height of the main chain. */
const FIRST_HEIGHT = 900_000;
const FIRST_BLOCK_MS = Date.UTC(2025, 5, 6);
const KEPT_MAX = 10_000;
const COMMITMENT_BYTES = 8;

const hashed = (...parts: readonly (string | number)[]): Uint8Array =>
  Buffer.from(sha256Hex(canonicalJSON(parts)), "hex");

/** The message that a digest becomes in the calendar's tree, and the steps to it. */
function commit(digest: Uint8Array, leaf: (message: Uint8Array) => Timestamp): Timestamp {
  const salt = append(hashed("salt", Buffer.from(digest).toString("hex")).subarray(0, COMMITMENT_BYTES));
  const salted = apply(salt, digest);
  const message = apply(sha256, salted);
  const inner = { message: salted, attestations: [], branches: [{ operation: sha256, next: leaf(message) }] };
  return { message: digest, attestations: [], branches: [{ operation: salt, next: inner }] };
}

/** The path from that message to a block's Merkle root. */
function attest(message: Uint8Array, height: number): Timestamp {
  const beside = prepend(hashed("sibling", height));
  const joined = apply(beside, message);
  const root = apply(sha256, joined);
  const end: Timestamp = { message: root, attestations: [{ kind: "bitcoin", height }], branches: [] };
  const inner = { message: joined, attestations: [], branches: [{ operation: sha256, next: end }] };
  return { message, attestations: [], branches: [{ operation: beside, next: inner }] };
}

const answer = (url: string, status: number, body: Uint8Array): GuardedAnswer => ({
  ok: true,
  url,
  status,
  headers: new Headers({ "content-type": "application/vnd.opentimestamps.v1" }),
  body,
  tls: null,
  hops: [{ url, status }],
});

/** Plays a calendar on the sandbox's clock: an hour after it accepts a digest, a block holds the digest. */
export function createSimulatedCalendar(now: () => number): GuardedFetch {
  const taken_ms = new Map<string, number>();
  const take = ({ url, body }: GuardedRequest): GuardedAnswer => {
    const digest = typeof body === "string" || body === undefined ? new Uint8Array() : body;
    if (digest.length !== DIGEST_BYTES || taken_ms.size >= KEPT_MAX) return answer(url, 400, new Uint8Array());
    const made = commit(digest, (message) => {
      const key = Buffer.from(message).toString("hex");
      if (!taken_ms.has(key)) taken_ms.set(key, now());
      return { message, attestations: [{ kind: "pending", url: SIMULATED_CALENDAR }], branches: [] };
    });
    return answer(url, 200, writeTimestamp(made));
  };
  return async (request) => {
    const { url, method = "GET" } = request;
    const { pathname } = new URL(url);
    if (method === "POST" && pathname === "/digest") return take(request);
    const [, message = ""] = /^\/timestamp\/([0-9a-f]{2,200})$/.exec(pathname) ?? [];
    // A restarted sandbox no longer knows when it accepted the digest.
    const since_ms = taken_ms.get(message) ?? FIRST_BLOCK_MS;
    if (message === "" || now() < since_ms + ATTESTED_MS) return answer(url, 404, Buffer.from("Pending"));
    const height = FIRST_HEIGHT + Math.floor((since_ms + ATTESTED_MS - FIRST_BLOCK_MS) / BLOCK_MS);
    return answer(url, 200, writeTimestamp(attest(Buffer.from(message, "hex"), height)));
  };
}
