import { networkInterfaces } from "node:os";
import type { NodeFacts } from "../catalog/node-facts.ts";
import { type IPRange, parseIPRange } from "../core/ip-address.ts";
import { createGuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import { createResolver } from "../guarded-fetch/resolve.ts";
import type { GuardedFetch, GuardedRequest } from "../guarded-fetch/types.ts";

/** Hosts that are no part of the Internet, and who answers for them. */
export interface PlayedHosts {
  readonly hosts: readonly string[];
  readonly ask: GuardedFetch;
  /** What the node's own public address answers, as a stranger sees it. */
  readonly askSelf: NodeFacts["askSelf"];
}

/** The addresses of this machine: a buyer does not reach it through us. Public ones are what this is for. */
const ownAddresses = (): readonly IPRange[] =>
  Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.flatMap(({ address }) => parseIPRange(address.replace(/%.*$/, "")) ?? []),
  );

/** How a product asks this node's own public address: its origin and no other, and only where it is a public one. */
export function composeSelfFetch(public_url: string | undefined, version: string): NodeFacts["askSelf"] {
  const user_agent = `intel-node/${version}`;
  const guarded = createGuardedFetch({ resolve: createResolver(), user_agent });
  const origin = public_url !== undefined && URL.canParse(public_url) ? new URL(public_url).origin : null;
  return async (path, signal) => {
    if (origin === null) return { ok: false, rule: "url", reason: "[node] public_url is not set", hops: [] };
    const url = new URL(path, origin);
    if (url.origin !== origin) return { ok: false, rule: "url", reason: "that is no path of this node", hops: [] };
    return guarded({
      url: url.href,
      headers: { accept: "application/json" },
      redirects_same_origin: true,
      ...(signal === undefined ? {} : { signal }),
    });
  };
}

/** How products ask addresses that buyers name. A sandbox answers for the hosts it plays itself. */
export function composeStrangerFetch(
  public_url: string | undefined,
  version: string,
  played?: PlayedHosts,
): GuardedFetch {
  const guarded = createGuardedFetch({
    resolve: createResolver(),
    user_agent: `intel-node/${version}`,
    own_hosts: public_url !== undefined && URL.canParse(public_url) ? [new URL(public_url).hostname] : [],
    own_addresses: ownAddresses(),
  });
  if (played === undefined) return guarded;
  const plays = ({ url }: GuardedRequest): boolean => URL.canParse(url) && played.hosts.includes(new URL(url).host);
  return (request) => (plays(request) ? played.ask(request) : guarded(request));
}
