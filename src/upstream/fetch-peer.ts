import { messageOf } from "../core/errors.ts";
import { readBody } from "./read-body.ts";

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

/** Whether an address of a node may be asked: https, or this machine. */
export function isPeerURL(text: string): boolean {
  if (text.length > 2_000 || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}

/**
 * Asks with further headers, such as a key. Whoever redirects would let another origin answer for it, so nobody is
 * followed.
 */
export const createPeerFetch =
  (headers: Readonly<Record<string, string>>): FetchPeer =>
  async (url) => {
    if (!isPeerURL(url)) return { failed: `${url.slice(0, 200)} is not https` };
    try {
      const response = await fetch(url, {
        // Digests in headers are of what is sent, packed or not.
        headers: { ...headers, accept: "application/json", "accept-encoding": "identity" },
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        return { failed: `${url} answers with a redirect, which is not followed` };
      }
      const body = await readBody(response, BYTES_MAX);
      if (!body.ok) return { failed: `${url}: ${body.reason}` };
      return { status: response.status, headers: response.headers, text: body.text };
    } catch (error) {
      return { failed: `${url} does not answer: ${messageOf(error)}` };
    }
  };

export const fetchPeer: FetchPeer = createPeerFetch({});
