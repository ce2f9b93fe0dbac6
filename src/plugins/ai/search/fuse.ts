import { canonicalURL, domainOf } from "../links/canonical-url.ts";
import type { Hit } from "./hit.ts";

/** One engine's results, best first. */
export interface RankedList {
  readonly engine: string;
  readonly weight: number;
  readonly hits: readonly Hit[];
}
export interface FusedHit extends Hit {
  readonly canonical: string;
  readonly domain: string;
  /** The engines that found it, in the order of the lists. */
  readonly engines: readonly string[];
  readonly score: number;
}

/** Cormack, Clarke and Büttcher, Reciprocal Rank Fusion outperforms Condorcet (SIGIR 2009). */
const K = 60;
const PER_DOMAIN_MAX = 3;

/**
 * One list of many: the score of a page is the sum of weight / (60 + rank) over the engines that found it; pages are
 * one by their canonical address, ranks are counted after that. At most three pages a domain; ties by address.
 */
export function fuse(lists: readonly RankedList[], count: number): readonly FusedHit[] {
  const found = new Map<string, FusedHit>();
  for (const { engine, weight, hits } of lists) {
    const pages = new Map<string, Hit>();
    for (const hit of hits) {
      const canonical = canonicalURL(hit.url);
      if (canonical !== null && !pages.has(canonical)) pages.set(canonical, hit);
    }
    [...pages].forEach(([canonical, hit], index) => {
      const known = found.get(canonical);
      const score = (known?.score ?? 0) + weight / (K + index + 1);
      const engines = [...(known?.engines ?? []), engine];
      const { snippet, published_at } = known ?? hit;
      found.set(canonical, {
        ...(known ?? { ...hit, canonical, domain: domainOf(canonical) }),
        // One engine may state what another leaves out.
        snippet: snippet ?? hit.snippet,
        published_at: published_at ?? hit.published_at,
        engines,
        score,
      });
    });
  }
  const of_domain = new Map<string, number>();
  return [...found.values()]
    .toSorted((a, b) => b.score - a.score || (a.canonical < b.canonical ? -1 : 1))
    .filter(({ domain }) => {
      const taken = (of_domain.get(domain) ?? 0) + 1;
      of_domain.set(domain, taken);
      return taken <= PER_DOMAIN_MAX;
    })
    .slice(0, count);
}
