import { checkAdmission } from "./admission.ts";
import { readSentBytes } from "./body.ts";

/** Where a request came from, when the process that took it hands it on. */
const PEER_FIELD = "x-intel-node-peer";
/** Fields of one connection, which the next one sets itself (RFC 9110, 7.6.1). */
const HOP_FIELDS = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];

const peers = new WeakMap<Request, string>();

/**
 * The address a request came from, also where an earlier process of this node took it. "" without a connection: such
 * a sender is a stranger, in no loopback range and behind no trusted proxy, and all of them share one limit.
 */
export const peerOf = (request: Request): string => peers.get(request) ?? "";

/** Notes who sent a request, when it arrives: a server no longer knows the address once the sender has hung up. */
export function notePeer(request: Request, server: Pick<Bun.Server<undefined>, "requestIP">): void {
  const address = server.requestIP(request)?.address;
  if (address !== undefined) peers.set(request, address);
}

/** Notes who sent a request that came over the hand-over socket. Only this node's own user reaches that. */
export function noteDivertedPeer(request: Request): void {
  peers.set(request, request.headers.get(PEER_FIELD) ?? "");
}

export interface Diversion {
  /** Resolves to the path of the other process's hand-over socket, once it listens. */
  readonly socket: Promise<string>;
  readonly body_bytes_max: number;
}

/**
 * Passes a request on to the process that took this one's place, and ends the connection it came on: the next one
 * reaches that process without help.
 * @param peer the address it came from.
 * @throws NodeError for a request that no process of this node would take.
 */
export async function divert(request: Request, peer: string, { socket, body_bytes_max }: Diversion): Promise<Response> {
  const refusal = checkAdmission(request, false);
  if (refusal !== null) throw refusal;
  const headers = new Headers(request.headers);
  for (const name of HOP_FIELDS) headers.delete(name);
  headers.set(PEER_FIELD, peer);
  // Left to itself, fetch would ask for a packed answer in the name of somebody who cannot unpack it.
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
  const body = request.body === null ? undefined : await readSentBytes(request, body_bytes_max);
  const unix = await socket;
  const answer = await fetch(request.url, {
    method: request.method,
    headers,
    redirect: "manual",
    unix,
    decompress: false,
    ...(body === undefined ? {} : { body }),
  });
  const passed = new Headers(answer.headers);
  for (const name of HOP_FIELDS) passed.delete(name);
  passed.set("connection", "close");
  return new Response(answer.body, { status: answer.status, headers: passed });
}
