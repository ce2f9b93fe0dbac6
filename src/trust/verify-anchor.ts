import { type Static, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { messageOf } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { nodeIdOf } from "../core/identity.ts";
import { getSignedText, type RecordBody, renderRecord } from "../records/record-chain.ts";
import { isSignedText } from "../records/signed-text.ts";
import { describeProof, NO_PROOF } from "./anchor-proofs.ts";
import { SIGNED_ANCHOR } from "./anchors.ts";
import type { KnownBlock } from "./ots/block-header.ts";
import { OtsError, SHA256 } from "./ots/operations.ts";
import { type OtsProof, readProof } from "./ots/timestamp.ts";
import { verifyTime } from "./ots/verify-time.ts";
import { statementOf } from "./receipt-seals.ts";
import type { TrackState } from "./track-states.ts";

const OTS_CHARS_MAX = 100_000;
const Anchor = Type.Object({
  record: Type.Object({ node_id: Type.String({ pattern: "^[A-Za-z0-9]{1,80}$" }) }),
  record_hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  signature: Type.String({ pattern: "^[A-Za-z0-9_-]{86}$" }),
  public_key: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" }),
  ots: Type.Union([Type.String({ pattern: "^[A-Za-z0-9+/]+={0,2}$", maxLength: OTS_CHARS_MAX }), Type.Null()]),
});
const checkAnchor = compileSchema(Anchor);
type GivenAnchor = Static<typeof Anchor>;

export interface AnchorClaim {
  readonly name: "form" | "signature" | "statement" | "time";
  readonly state: TrackState;
  readonly detail: string;
}

export interface AnchorReport {
  readonly claims: readonly AnchorClaim[];
  readonly verdict: TrackState;
  readonly node_id: string | null;
}

export interface VerifyAnchorContext {
  /** Whether a raw Ed25519 key (base64url) is the node's. */
  readonly isKeyOf: (public_key: string) => boolean;
  /** Blocks that the verifier knows. */
  readonly blocks: readonly KnownBlock[];
}

const inside = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** Canonical bytes of a record; null for another value. */
function renderStatement(record: unknown): string | null {
  try {
    return renderRecord(record as RecordBody);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function checkSignature({ record, signature, public_key }: GivenAnchor, { isKeyOf }: VerifyAnchorContext): AnchorClaim {
  const claim = (state: TrackState, detail: string): AnchorClaim => ({ name: "signature", state, detail });
  if (nodeIdOf(Buffer.from(public_key, "base64url")) !== record.node_id) {
    return claim("broken", `${record.node_id} is not called after the key that signed`);
  }
  const text = statementOf(record as unknown as RecordBody);
  if (!isSignedText({ kind: SIGNED_ANCHOR, text, signature, public_key })) {
    return claim("broken", "it is not of this key over this statement");
  }
  return isKeyOf(public_key)
    ? claim("proven", `${record.node_id} signed it`)
    : claim("broken", "the key is not in the node's DID document");
}

const isSame = (shown: unknown, value: string | readonly (string | number)[]): boolean =>
  Array.isArray(value) && Array.isArray(shown)
    ? shown.length === value.length && value.every((one, place) => one === shown[place])
    : shown === value;

function checkStatement(anchor: GivenAnchor, statement: string): AnchorClaim {
  const claim = (state: TrackState, detail: string): AnchorClaim => ({ name: "statement", state, detail });
  const { record, record_hash, ots } = anchor;
  if (sha256Hex(statement) !== record_hash) return claim("broken", "its hash is another than it says");
  const said = typeof readOts(ots ?? "") === "string" ? NO_PROOF : describeProof(ots ?? "");
  const signed_text = getSignedText(SIGNED_ANCHOR, statementOf(record as unknown as RecordBody));
  const beside = { statement, signed_text, pending_at: said.pending_at, bitcoin_blocks: said.bitcoin_blocks };
  for (const [name, value] of Object.entries(beside)) {
    const shown = inside(anchor, name);
    if (shown !== undefined && !isSame(shown, value)) {
      return claim("broken", `what it shows as ${name} is not what was signed or attested`);
    }
  }
  return claim("proven", "its hash is the one the proof begins with");
}

function readOts(ots: string): OtsProof | string {
  try {
    return readProof(Buffer.from(ots, "base64"));
  } catch (error) {
    if (error instanceof OtsError) return messageOf(error);
    throw error;
  }
}

function checkTime({ record_hash, ots }: GivenAnchor, { blocks }: VerifyAnchorContext): AnchorClaim {
  const claim = (state: TrackState, detail: string): AnchorClaim => ({ name: "time", state, detail });
  if (ots === null) return claim("unproven", "no calendar has taken it: its time is the node's own");
  const proof = readOts(ots);
  if (typeof proof === "string") return claim("broken", `its OpenTimestamps proof cannot be read: ${proof}`);
  const begins = Buffer.from(proof.timestamp.message).toString("hex");
  if (proof.file_hash !== SHA256 || begins !== record_hash) {
    return claim("broken", "its OpenTimestamps proof is of something else");
  }
  const { state, detail } = verifyTime(proof.timestamp, blocks);
  return claim(state, detail);
}

/**
 * Checks one entry of /track-record/anchors offline: its signature, and the latest time at which it came into
 * existence. Any value is safe to check.
 */
export function verifyAnchor(given: unknown, options: VerifyAnchorContext): AnchorReport {
  const anchor = inside(given, "anchor") ?? given;
  const statement = checkAnchor.Check(anchor) ? renderStatement(anchor.record) : null;
  if (!checkAnchor.Check(anchor) || statement === null) {
    const claim = { name: "form", state: "broken", detail: "this is no entry of /track-record/anchors" } as const;
    return { claims: [claim], verdict: "broken", node_id: null };
  }
  const claims = [checkSignature(anchor, options), checkStatement(anchor, statement), checkTime(anchor, options)];
  const has = (state: TrackState) => claims.some((claim) => claim.state === state);
  const verdict = has("broken") ? "broken" : has("unproven") ? "unproven" : "proven";
  return { claims, verdict, node_id: anchor.record.node_id };
}
