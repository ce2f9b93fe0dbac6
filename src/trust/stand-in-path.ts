import { sha256Hex } from "../core/hash.ts";
import { nodeIdOf } from "../core/identity.ts";
import type { NodeSigner } from "../records/record-chain.ts";
import { isSignedText } from "../records/signed-text.ts";

/** Header of a call that replaces a node's own sources: the nodes that it came through, each with a signature. */
export const STAND_IN_PATH = "X-Stand-In-Path";
const KIND = "stand-in-hop";
const HOP = /^([A-Za-z0-9_-]{43})\.([0-9a-f]{64})\.([A-Za-z0-9_-]{86})$/;
/** The most steps that are read: those of an honest path, and one too many. */
const HOPS_MAX = 3;
const PATH_CHARS_MAX = HOPS_MAX * 200;

/** The text of the request, which is the same at every node, whatever its address. */
export const nameStandInCall = (path: string, key: string): string => sha256Hex(`${path} ${key}`);

/** A path with this node's step added, signed over all earlier steps. */
export function addStandInHop(before: string | null, call: string, signer: NodeSigner): string {
  const signature = signer.sign(KIND, `${before ?? ""}\n${call}`);
  const hop = `${signer.public_key}.${call}.${signature}`;
  return before === null ? hop : `${before}~${hop}`;
}

/**
 * The nodes that a call came through, first one first. Each node signed its step and all earlier ones, so that nobody
 * can insert another node, or remove one that came before an honest node.
 * @returns null for a path that is forged, too long, or from another call.
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
