import { type IPRange, parseIPRange } from "../core/ip-address.ts";
import { createGuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import { createResolver } from "../guarded-fetch/resolve.ts";
import type { GuardedFetch, GuardedResult } from "../guarded-fetch/types.ts";

/** What another node answered. */
export interface PeerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Why there is no answer, for people. */
export interface PeerFailure {
  readonly failed: string;
}

/** Asks another node for a document. Never throws. */
export type FetchPeer = (url: string) => Promise<PeerAnswer | PeerFailure>;

const TIMEOUT_MS = 10_000;
/** The manifest of a node with 500 products. */
const BYTES_MAX = 1_048_576;
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const isLoopback = (url: string): boolean => LOOPBACK.has(new URL(url).hostname);
const LOOPBACK_RANGES = ["127.0.0.1/32", "::1/128"].map(parseIPRange).filter((range): range is IPRange => !!range);
const COMMON = { user_agent: "intel-node", resolve: createResolver() };
/** Another node is asked on the public Internet only: what its name resolves to is checked, then connected to. */
const askPublic: GuardedFetch = createGuardedFetch(COMMON);
/** Unless the operator wrote an address of this machine. No name leads here. */
const askLoopback: GuardedFetch = createGuardedFetch({
  ...COMMON,
  allowed_ranges: LOOPBACK_RANGES,
  known_hosts: { localhost: ["127.0.0.1", "::1"] },
});

/** Strict UTF-8; undefined when the bytes are something else. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Whether an address of a node may be asked: https, or this machine. */
export function isPeerURL(text: string): boolean {
  if (text.length > 2_000 || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}

/** How a document of a node is asked for; whoever asks sends nothing else along. */
export const PEER_DOCUMENT = {
  // Digests in headers are of what is sent, packed or not.
  headers: { accept: "application/json", "accept-encoding": "identity" },
  redirects_max: 0,
  bytes_max: BYTES_MAX,
} as const;

/** What a guarded fetch brought, as a peer's answer. A redirect is none: another origin would answer for it. */
export function readPeerAnswer(url: string, answer: GuardedResult): PeerAnswer | PeerFailure {
  if (!answer.ok) {
    return {
      failed: answer.rule === "body" ? `${url}: ${answer.reason}` : `${url} does not answer: ${answer.reason}`,
    };
  }
  if (answer.status >= 300 && answer.status < 400) {
    return { failed: `${url} answers with a redirect, which is not followed` };
  }
  const text = decode(answer.body);
  if (text === undefined) return { failed: `${url}: body is not UTF-8 text` };
  return { status: answer.status, headers: answer.headers, text };
}

/**
 * Asks with further headers, such as a key. Whoever redirects would let another origin answer for it, so nobody is
 * followed.
 */
export const createPeerFetch =
  (headers: Readonly<Record<string, string>>, timeout_ms = TIMEOUT_MS): FetchPeer =>
  async (url) => {
    if (!isPeerURL(url)) return { failed: `${url.slice(0, 200)} is not https` };
    const answer = await (isLoopback(url) ? askLoopback : askPublic)({
      ...PEER_DOCUMENT,
      url,
      headers: { ...headers, ...PEER_DOCUMENT.headers },
      ports: null,
      timeout_ms,
    });
    return readPeerAnswer(url, answer);
  };

export const fetchPeer: FetchPeer = createPeerFetch({});

/** Sends another node a text. Never throws. */
export type PostPeer = (url: string, text: string) => Promise<PeerAnswer | PeerFailure>;

export const postPeer: PostPeer = async (url, text) => {
  if (!isPeerURL(url)) return { failed: `${url.slice(0, 200)} is not https` };
  const answer = await (isLoopback(url) ? askLoopback : askPublic)({
    ...PEER_DOCUMENT,
    url,
    method: "POST",
    body: text,
    headers: { ...PEER_DOCUMENT.headers, accept: "text/plain", "content-type": "text/plain; charset=utf-8" },
    ports: null,
    timeout_ms: TIMEOUT_MS,
  });
  return readPeerAnswer(url, answer);
};
