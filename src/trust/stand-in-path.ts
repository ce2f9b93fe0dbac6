import { sha256Hex } from "../core/hash.ts";
import { nodeIdOf } from "../core/identity.ts";
import type { NodeSigner } from "../records/record-chain.ts";
import { isSignedText } from "../records/signed-text.ts";

/** Of a call that one node makes in the place of its own sources: the nodes it came through, each signed. */
export const STAND_IN_PATH = "X-Stand-In-Path";
const KIND = "stand-in-hop";
const HOP = /^([A-Za-z0-9_-]{43})\.([0-9a-f]{64})\.([A-Za-z0-9_-]{86})$/;
/** As many as an honest path may have, and one that is too many. */
const HOPS_MAX = 3;
const PATH_CHARS_MAX = HOPS_MAX * 200;

/** What is asked for: the same text at every node, whatever it is called by. */
export const nameStandInCall = (path: string, key: string): string => sha256Hex(`${path} ${key}`);

/** A path with this node's step signed on, over all before it. */
export function addStandInHop(before: string | null, call: string, signer: NodeSigner): string {
  const signature = signer.sign(KIND, `${before ?? ""}\n${call}`);
  const hop = `${signer.public_key}.${call}.${signature}`;
  return before === null ? hop : `${before}~${hop}`;
}

/**
 * The nodes a call came through, the first one first. Each signed for its step and all before it, so that nobody puts
 * another node into a path, or takes one out that came before an honest one.
 * @returns null for a path that is forged, too long or of another call.
 */
export function readStandInPath(path: string, call: string): readonly string[] | null {
  if (path.length > PATH_CHARS_MAX) return null;
  const texts = path.split("~");
  if (texts.length > HOPS_MAX) return null;
  const ids: string[] = [];
  for (const [index, hop] of texts.entries()) {
    const [, public_key = "", named, signature = ""] = HOP.exec(hop) ?? [];
    const text = `${texts.slice(0, index).join("~")}\n${call}`;
    if (named !== call || !isSignedText({ kind: KIND, text, signature, public_key })) return null;
    ids.push(nodeIdOf(Buffer.from(public_key, "base64url")));
  }
  return ids;
}
