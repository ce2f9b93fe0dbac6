import { isSignedText, NodeError, type NodeSigner, sha256Hex } from "intel-node";

/** Nodes that may pass one call on, one after the other. */
const RELAYS_MAX = 2;
const KIND = "relay-hop";
const HOP = /^([A-Za-z0-9_-]{43})\.([0-9a-f]{64})\.([A-Za-z0-9_-]{86})$/;

/** One node that passed a call on: what it asked the next one for, signed with its key together with all before. */
interface Hop {
  readonly public_key: string;
  readonly target_sha256: string;
  readonly signature: string;
}

const refuse = (why: string): NodeError =>
  new NodeError("invalid_parameter", `relay_path: ${why}`, { param: "relay_path" });

const signedPart = (before: string, target_sha256: string): string => `${before}\n${target_sha256}`;

function readHop(text: string): Hop {
  const [, public_key, target_sha256, signature] = HOP.exec(text) ?? [];
  if (public_key === undefined || target_sha256 === undefined || signature === undefined) throw refuse("is not a path");
  return { public_key, target_sha256, signature };
}

/** Whether an address is another relay's. */
export function isRelay(url: URL): boolean {
  try {
    return /\/agent-call\/*$/.test(decodeURIComponent(url.pathname));
  } catch {
    // What is escaped wrongly names nothing else.
    return /\/agent-call\/*$/.test(url.pathname);
  }
}

/** A call's route as in its address: its first target, and for relays the target of each. */
export function listTargets(target: string): readonly URL[] {
  const targets: URL[] = [];
  for (let next: string | null = target; next !== null && URL.canParse(next) && targets.length <= RELAYS_MAX; ) {
    const url: URL = new URL(next);
    targets.push(url);
    next = isRelay(url) ? url.searchParams.get("target") : null;
  }
  return targets;
}

/**
 * Reads and checks a call's route: each node signed its step and all before it, so that nobody can put
 * another node into a path, or take one out that came before an honest one.
 * @param target what this node is asked for: the last one of the path must have asked for just this.
 * @throws NodeError invalid_parameter for a forged path, a circle, and one that would grow too long.
 */
export function checkRelayPath(path: string | undefined, target: string, own_key: string): void {
  const texts = path === undefined ? [] : path.split("~");
  const relays_to_come = listTargets(target).filter(isRelay).length;
  if (texts.length + 1 + relays_to_come > RELAYS_MAX) throw refuse(`more than ${RELAYS_MAX} relays in a row`);
  const hops = texts.map(readHop);
  for (const [index, { public_key, target_sha256, signature }] of hops.entries()) {
    const text = signedPart(texts.slice(0, index).join("~"), target_sha256);
    if (!isSignedText({ kind: KIND, text, signature, public_key })) throw refuse("a step is not signed by its node");
    if (public_key === own_key) throw refuse("the call has been here before: it runs in a circle");
  }
  const last = hops.at(-1);
  if (last && last.target_sha256 !== sha256Hex(target)) throw refuse("it belongs to a call of another target");
}

/** The address of the next relay, with the path signed on; any other address as it is. */
export function withRelayPath(target: string, path: string | undefined, signer: NodeSigner): string {
  const url = new URL(target);
  if (!isRelay(url)) return target;
  const inner = url.searchParams.get("target") ?? "";
  const target_sha256 = sha256Hex(URL.canParse(inner) ? normaliseTarget(new URL(inner)) : inner);
  const before = path ?? "";
  const hop = `${signer.public_key}.${target_sha256}.${signer.sign(KIND, signedPart(before, target_sha256))}`;
  url.searchParams.set("relay_path", before === "" ? hop : `${before}~${hop}`);
  return url.href;
}

/** One spelling of a target; a path that a buyer wrote himself is not taken along. */
export function normaliseTarget(url: URL): string {
  const target = new URL(url);
  target.hash = "";
  if (isRelay(target)) target.searchParams.delete("relay_path");
  else if (target.pathname === "/" && target.search === "") target.pathname = "/.well-known/x402.json";
  return target.href;
}
