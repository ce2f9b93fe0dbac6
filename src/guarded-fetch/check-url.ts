import { type IPAddress, parseIP } from "../core/ip-address.ts";
import type { GuardRule } from "./types.ts";

/** A URL that may be resolved, and perhaps asked. */
export interface CheckedURL {
  readonly url: URL;
  /** Lower case, in ASCII, without brackets and without the dot of the root. */
  readonly host: string;
  /** The address, when the host is written as one. */
  readonly address: IPAddress | null;
  readonly port: number;
}

export interface URLFault {
  readonly rule: GuardRule;
  readonly reason: string;
}

export interface URLPolicy {
  /** Ports that may be asked; null for any. */
  readonly ports: readonly number[] | null;
  /** Hosts that are never asked, such as our own names. */
  readonly refused_hosts: ReadonlySet<string>;
  /** Hosts that are asked although only this machine knows them. */
  readonly known_hosts: ReadonlySet<string>;
}

/** Room for a relayed call that carries a signed payment for the next one. */
const URL_CHARS_MAX = 8_192;
const HOST_CHARS_MAX = 253;
/** Names that mean something on one network only, or are registered to mean nothing (RFC 2606, 6761, 6762, 8375). */
const LOCAL_SUFFIXES = [
  ...["local", "localhost", "internal", "lan", "home.arpa", "onion", "test", "invalid", "example", "localdomain"],
  ...["intranet", "corp", "home", "private", "alt"],
];
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function findHostFault(host: string): string | null {
  if (host === "" || host.length > HOST_CHARS_MAX) return "its host is empty or too long";
  const labels = host.split(".");
  if (labels.length < 2) return "its host is a single word, which only a local network knows";
  if (!labels.every((label) => LABEL.test(label))) return "its host is no name of the public DNS";
  const local = LOCAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  return local ? "its host is a name of local networks" : null;
}

/**
 * Reads a URL that somebody else wrote. The URL parser has already written out the short, octal and hexadecimal forms
 * of IPv4, full-width digits and names in other scripts, so what is checked here is what would be asked.
 */
export function checkURL(text: string, policy: URLPolicy): CheckedURL | URLFault {
  if (text.length > URL_CHARS_MAX) return { rule: "url", reason: `it is longer than ${URL_CHARS_MAX} characters` };
  if (!URL.canParse(text)) return { rule: "url", reason: "it is no absolute URL" };
  const url = new URL(text);
  url.hash = "";
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { rule: "url", reason: "it is neither http nor https" };
  if (url.username !== "" || url.password !== "") return { rule: "url", reason: "it holds a user name or a password" };
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (port === 0 || (policy.ports && !policy.ports.includes(port))) {
    return { rule: "port", reason: `port ${port} is not asked` };
  }
  const host = url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  if (policy.refused_hosts.has(host)) return { rule: "host", reason: "its host is this node" };
  const address = parseIP(host) ?? null;
  const reason = address || policy.known_hosts.has(host) ? null : findHostFault(host);
  return reason === null ? { url, host, address, port } : { rule: "host", reason };
}
