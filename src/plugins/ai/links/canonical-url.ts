const DROPPED = new Set([
  ...["fbclid", "gclid", "mc_cid", "mc_eid", "ref", "ref_src", "cmpid", "ftag", "igshid", "si", "guccounter"],
  "traffic_source",
]);
const HOST_PREFIX = /^(?:www|m|amp)\./;

/**
 * The form that two links to one page share: https, the host without www., m. or amp., one slash between parts, none at
 * the end, no /amp, no fragment, no parameters that only track, the others sorted. Null for anything but a web address.
 */
export function canonicalURL(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, pathname, searchParams, username } = new URL(text);
  if ((protocol !== "https:" && protocol !== "http:") || username !== "") return null;
  const host = hostname.replace(HOST_PREFIX, "");
  const path = pathname
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "")
    .replace(/\/amp$/, "");
  const kept = [...searchParams].filter(([name]) => !name.startsWith("utm_") && !DROPPED.has(name));
  const query = new URLSearchParams(kept.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString();
  return `https://${host}${port === "" ? "" : `:${port}`}${path === "" ? "/" : path}${query === "" ? "" : `?${query}`}`;
}

/** The host of a canonical address. */
export const domainOf = (canonical: string): string => new URL(canonical).hostname;
