import { networkInterfaces } from "node:os";
import { type IPRange, parseIPRange } from "../core/ip-address.ts";
import { createGuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import { createResolver } from "../guarded-fetch/resolve.ts";
import type { GuardedFetch } from "../guarded-fetch/types.ts";

/** The addresses of this machine: a buyer does not reach it through us. Public ones are what this is for. */
const ownAddresses = (): readonly IPRange[] =>
  Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.flatMap(({ address }) => parseIPRange(address.replace(/%.*$/, "")) ?? []),
  );

/** How products ask addresses that buyers name. */
export function composeStrangerFetch(public_url: string, version: string): GuardedFetch {
  return createGuardedFetch({
    resolve: createResolver(),
    user_agent: `intel-node/${version}`,
    own_hosts: URL.canParse(public_url) ? [new URL(public_url).hostname] : [],
    own_addresses: ownAddresses(),
  });
}
