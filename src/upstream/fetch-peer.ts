import { type IPRange, parseIPRange } from "../core/ip-address.ts";
import { createGuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import { createResolver } from "../guarded-fetch/resolve.ts";
import type { GuardedFetch, GuardedResult } from "../guarded-fetch/types.ts";

/** Another node's answer. */
export interface PeerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The reason for a missing answer, for people. */
export interface PeerFailure {
  readonly failed: string;
}

/** Asks another node for a document. Never throws. */
export type FetchPeer = (url: string) => Promise<PeerAnswer | PeerFailure>;

const TIMEOUT_MS = 10_000;
/** Largest answer: the manifest of a node with 500 products. */
const BYTES_MAX = 1_048_576;
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const isLoopback = (url: string): boolean => LOOPBACK.has(new URL(url).hostname);
const LOOPBACK_RANGES = ["127.0.0.1/32", "::1/128"].map(parseIPRange).filter((range): range is IPRange => !!range);
const COMMON = { user_agent: "intel-node", resolve: createResolver() };
/** Calls another node only on the public Internet: the resolved address is checked before the connection. */
const askPublic: GuardedFetch = createGuardedFetch(COMMON);
/** Addresses of this machine are allowed if the operator wrote them literally, never through a name. */
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

/** Whether the address of a node may be called: https, or this machine. */
export function isPeerURL(text: string): boolean {
  if (text.length > 2_000 || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}

/** Headers of a request for a node's document. */
export const PEER_DOCUMENT = {
  // Digests in headers cover the sent bytes, compressed or not.
  headers: { accept: "application/json", "accept-encoding": "identity" },
  redirects_max: 0,
  bytes_max: BYTES_MAX,
} as const;

/** The result of a guarded fetch as a peer's answer. A redirect is refused, because another origin would answer. */
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
 * Sends a request with further headers, such as a key. Redirects are not followed, because another origin would answer.
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
