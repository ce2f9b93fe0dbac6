import type { IPAddress, IPRange } from "../core/ip-address.ts";

/** Which rule ended a fetch. */
export type GuardRule =
  | "url"
  | "port"
  | "host"
  | "dns"
  | "address"
  | "connect"
  | "tls"
  | "http"
  | "headers"
  | "body"
  | "redirect"
  | "time";

/** What the connection's certificate says. The connection was refused unless the certificate is valid for the host. */
export interface TLSFacts {
  /** "TLSv1.3" */
  readonly protocol: string;
  /** DNS names and addresses of the certificate, as it writes them. */
  readonly names: readonly string[];
  /** The organisation or common name of its issuer, or null. */
  readonly issuer: string | null;
  /** ISO 8601 in UTC. */
  readonly valid_from: string;
  readonly valid_to: string;
  /** SHA-256 of the certificate in hex, or null. */
  readonly fingerprint_sha256: string | null;
}

/** A call to an address that somebody else named. */
export interface GuardedRequest {
  readonly url: string;
  /** GET when left out. */
  readonly method?: "GET" | "HEAD" | "POST" | "OPTIONS";
  /** Sent to the first origin alone; another origin gets `accept`, `accept-language` and `user-agent` of them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** How many redirects are followed; 0 answers with the redirect itself. 3 when left out. */
  readonly redirects_max?: number;
  /** A redirect to another origin is a failure: for requests that carry a payment. */
  readonly redirects_same_origin?: boolean;
  /** Ports that may be asked; null for any. 80, 443, 8080 and 8443 when left out. */
  readonly ports?: readonly number[] | null;
  /** Cap of the unpacked body; 262,144 when left out. */
  readonly bytes_max?: number;
  /** For everything, redirects included; 10,000 when left out. */
  readonly timeout_ms?: number;
  readonly signal?: AbortSignal;
  /** It goes on when the run that made it ends: for what has to be known afterwards, such as what a payment brought. */
  readonly outlives_run?: boolean;
}

/** One request that was made. */
export interface GuardedHop {
  readonly url: string;
  readonly status: number;
}

/** What the address answered, whatever its status. */
export interface GuardedAnswer {
  readonly ok: true;
  /** The address that answered in the end. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Null over plain http. */
  readonly tls: TLSFacts | null;
  /** All requests in order, the last one included. */
  readonly hops: readonly GuardedHop[];
}

/** Why the address was not asked, or gave no answer. */
export interface GuardedFailure {
  readonly ok: false;
  readonly rule: GuardRule;
  /** For people; never holds an address that a name resolved to. */
  readonly reason: string;
  readonly hops: readonly GuardedHop[];
}

/** What became of such a call. */
export type GuardedResult = GuardedAnswer | GuardedFailure;

/** Asks an address that somebody else named. Never throws, not even for a request that makes no sense. */
export type GuardedFetch = (request: GuardedRequest) => Promise<GuardedResult>;

/** The addresses of a name, IPv4 and IPv6; none when the name does not exist. Throws when nobody could say. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

export interface GuardedFetchOptions {
  readonly resolve: ResolveName;
  readonly user_agent: string;
  /** Names of this node, which it never asks on somebody's behalf. */
  readonly own_hosts?: readonly string[];
  /** Addresses of this node, likewise. */
  readonly own_addresses?: readonly IPRange[];
  /** Ranges that are asked although they are not public: networks of the operator's own. */
  readonly allowed_ranges?: readonly IPRange[];
  /** Names that mean these addresses, whatever name servers say: "localhost". The addresses are still checked. */
  readonly known_hosts?: Readonly<Record<string, readonly string[]>>;
  /** Certificates trusted besides the usual ones, in PEM. */
  readonly ca?: string;
}

/** One place a connection may be made to: it has passed every check. */
export interface CheckedAddress {
  readonly address: IPAddress;
  readonly port: number;
}
