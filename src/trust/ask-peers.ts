import { nodeIdOf } from "../core/identity.ts";
import { parseJSON } from "../core/json-values.ts";
import type { PeerStatement, Peers, StatementRequest } from "../records/peer-statements.ts";
import { isSignedText } from "../records/signed-text.ts";
import { nodeDID } from "./did.ts";
import { readDIDDocument } from "./peer-documents.ts";
import type { AskPeer } from "./peer-types.ts";

export interface PeersOptions {
  /** Addresses of nodes, as written by the operator. */
  readonly urls: readonly string[];
  readonly ask: AskPeer;
  /** Id of this node, whose own answer would not be a second opinion. */
  readonly node_id: string;
  /** Whether this node is a sandbox; a live node ignores sandboxes, whose markets are simulated. */
  readonly sandbox: boolean;
  /** Whether a node is known to have signed two histories, and therefore no longer counts. */
  readonly isInconsistent?: (node_id: string) => Promise<boolean>;
}

const PEERS_MAX = 20;

type Read<T> = { readonly value: T } | { readonly refused: string };

export async function fetchJSON(ask: AskPeer, url: string): Promise<Read<string>> {
  const answer = await ask(url);
  if ("failed" in answer) return { refused: answer.failed.slice(0, 300) };
  return answer.status === 200 ? { value: answer.text } : { refused: `${url} answers ${answer.status}` };
}

export const isSandbox = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "sandbox" in body && body.sandbox === true;

/** Whether the node at this address currently vouches for a key. */
export async function findKeyFault(ask: AskPeer, origin: string, public_key: string): Promise<string | null> {
  const answer = await fetchJSON(ask, `${origin}/.well-known/did.json`);
  if ("refused" in answer) return answer.refused;
  const document = readDIDDocument(answer.value);
  if (document === null || document.id !== nodeDID(origin)) return `there is no DID document of ${nodeDID(origin)}`;
  const method = document.verificationMethod.find(({ publicKeyJwk }) => publicKeyJwk.x === public_key);
  return method && document.assertionMethod.includes(method.id) ? null : "its address does not vouch for the key";
}

async function askOne(origin: string, request: StatementRequest, options: PeersOptions): Promise<PeerStatement> {
  const refuse = (refused: string): PeerStatement => ({ url: origin, refused });
  const { path, kind, pick } = request;
  const answer = await fetchJSON(options.ask, `${origin}${path}`);
  if ("refused" in answer) return refuse(answer.refused);
  const body = parseJSON(answer.value);
  if (isSandbox(body) && !options.sandbox) return refuse("it is a sandbox");
  const statement = pick(body);
  if (statement === null) return refuse("it shows no signed statement");
  const { text, public_key } = statement;
  if (!isSignedText({ kind, ...statement })) return refuse("the signature is not of its key over the text");
  const fault = await findKeyFault(options.ask, origin, public_key);
  if (fault !== null) return refuse(fault);
  const node_id = nodeIdOf(Buffer.from(public_key, "base64url"));
  if (node_id === options.node_id) return refuse("it is this node");
  if (await options.isInconsistent?.(node_id)) return refuse("it signed two histories: see /track-record/heads");
  return { url: origin, node_id, text };
}

/** Each address once, up to a limit. */
export const listOrigins = (urls: readonly string[]): readonly string[] =>
  [...new Set(urls.map((url) => new URL(url).origin))].slice(0, PEERS_MAX);

/** Asks other nodes for signed statements, and accepts only those signed by the keys at their own addresses. */
export function createPeers(options: PeersOptions): Peers {
  const origins = listOrigins(options.urls);
  return {
    count: origins.length,
    async ask(request) {
      const statements = await Promise.all(origins.map((origin) => askOne(origin, request, options)));
      const seen = new Set<string>();
      return statements.map((one): PeerStatement => {
        if ("refused" in one) return one;
        if (seen.has(one.node_id)) return { url: one.url, refused: "another address showed the same node" };
        seen.add(one.node_id);
        return one;
      });
    },
  };
}
