import { Resolver } from "node:dns/promises";
import type { ResolveName } from "./types.ts";

export interface ResolverOptions {
  /** Addresses of name servers, with a port where it is not 53; those of the system when left out. */
  readonly servers?: readonly string[];
}

const TIMEOUT_MS = 2_000;
/** More than any honest host has. */
const ADDRESSES_MAX = 64;
/** The name exists without such addresses, or does not exist. Everything else is no answer. */
const EMPTY = new Set(["ENODATA", "ENOTFOUND", "ENONAME"]);

const isEmptyAnswer = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && EMPTY.has(String(error.code));

/**
 * Asks name servers for the addresses of a name, and nothing else: no hosts file, no search list, no multicast DNS, so
 * that a name means here what it means to everybody.
 */
export function createResolver({ servers }: ResolverOptions = {}): ResolveName {
  return async (name) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    clearTimeout(timer);
    const failed = answers.find((answer) => answer.status === "rejected" && !isEmptyAnswer(answer.reason));
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length === 0 && failed?.status === "rejected") throw failed.reason;
    return found.slice(0, ADDRESSES_MAX);
  };
}
