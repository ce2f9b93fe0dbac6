import type { Supported } from "./types.ts";

/** Lists of strangers may be long: what a person reads names so many. */
const NAMED_MAX = 8;
const NAME_CHARS_MAX = 60;

/** A stranger's name of a network: it must not steer the terminal it is read on. */
const printable = (name: string): string => name.replace(/[^ -~]/g, "?").slice(0, NAME_CHARS_MAX);

function nameSome(names: readonly string[]): string {
  const all = [...new Set(names.map(printable))];
  const more = all.length - NAMED_MAX;
  return `${all.slice(0, NAMED_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** What a facilitator's /supported lists, in words for its operator; empty lists are named as such. */
export function describeListed({ kinds, old_networks = [] }: Pick<Supported, "kinds" | "old_networks">): string {
  const listed = kinds.map(({ network, scheme }) => (scheme === "exact" ? network : `${network} (${scheme})`));
  const now = listed.length > 0 ? `it lists ${nameSome(listed)}` : "it lists no network in version 2 of x402";
  return old_networks.length > 0 ? `${now}, and in version 1 ${nameSome(old_networks)}` : now;
}
