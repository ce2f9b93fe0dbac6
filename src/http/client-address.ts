import {
  formatIP,
  type IPAddress,
  isInIPRange,
  parseIP,
  parseIPEndpoint,
  parseIPRange,
  unmapIP,
} from "../core/ip-address.ts";
import { createLRU } from "../core/lru.ts";

/** Where a request came from. */
export interface ClientAddress {
  /** The visitor: the peer, or what a trusted proxy says of him. Canonical text; "" when there is no connection. */
  readonly client: string;
  /** The connected address, canonical. */
  readonly peer: string;
  /** X-Forwarded-For was there and was not believed, because the peer is no trusted proxy. */
  readonly ignored: boolean;
}

export type ClientAddresses = (peer: string, forwarded: string | null) => ClientAddress;

const PEERS_KEPT = 10_000;
/** The longest header that is read. Bun takes 16 kB of headers; nobody's chain of proxies is this long. */
const HOPS_MAX = 32;

/** Whether a connected address is a proxy that the operator named. @param trusted see below. */
export function createProxyCheck(trusted: readonly string[]): (peer: string) => boolean {
  const clientOf = createClientAddresses(trusted);
  return (peer) => !clientOf(peer, "").ignored;
}

/**
 * Finds out where requests come from. X-Forwarded-For is read only when the peer is a proxy that the operator named,
 * from the right, hop by hop: every proxy appends the address it was called from, so what stands left of the first
 * address that is no proxy of ours was written by the client.
 * @param trusted CIDR ranges of proxies, both families; "::ffff:127.0.0.1" and 127.0.0.1 are the same.
 */
export function createClientAddresses(trusted: readonly string[]): ClientAddresses {
  const ranges = trusted.flatMap((text) => parseIPRange(text) ?? []);
  const isTrusted = (address: IPAddress): boolean => ranges.some((range) => isInIPRange(address, range));
  const peers = createLRU<{ readonly text: string; readonly trusted: boolean; readonly plain: ClientAddress }>(
    PEERS_KEPT,
  );

  const readPeer = (peer: string) => {
    let known = peers.get(peer);
    if (!known) {
      const address = parseIP(peer);
      const text = address ? formatIP(unmapIP(address)) : peer;
      const plain = { client: text, peer: text, ignored: false };
      known = { text, trusted: address ? isTrusted(address) : false, plain };
      peers.set(peer, known);
    }
    return known;
  };

  return (peer, forwarded) => {
    const { text, trusted: is_proxy, plain } = readPeer(peer);
    if (forwarded === null) return plain;
    if (!is_proxy) return { ...plain, ignored: true };
    let client = text;
    let end = forwarded.length;
    for (let hops = 0; hops < HOPS_MAX && end > 0; hops++) {
      const start = forwarded.lastIndexOf(",", end - 1) + 1;
      const address = parseIPEndpoint(forwarded.slice(start, end).trim())?.address;
      // "unknown", an invented name, garbage: the last proxy that said something is all there is to go by.
      if (!address) break;
      client = formatIP(unmapIP(address));
      if (!isTrusted(address)) break;
      end = start - 1;
    }
    return { client, peer: text, ignored: false };
  };
}
