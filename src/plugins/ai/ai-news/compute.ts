import { type Computed, type Draft, missing, warnWithheld } from "intel-node";
import type { Story } from "intel-node/providers/hn-algolia/stories";
import { canonicalURL, domainOf } from "../links/canonical-url.ts";
import { cluster } from "../news/cluster.ts";
import { countIndependent } from "../news/corroboration.ts";
import { rankFactors, rankScore } from "../news/rank.ts";
import { findTerms, tagsOf } from "../news/topic-terms.ts";
import { findTrending } from "../news/trending.ts";
import { TIER_WEIGHT } from "../providers/feeds/feeds.ts";
import { type AINewsInputs, NEWS_MS } from "./fetch.ts";
import type { AINewsData } from "./schema.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STORED_DAYS_MIN = 7;
/** A submission that anybody can make is not a primary source. */
const HN_TIER = 0.6;
const DOMAINS_SHOWN = 4;

interface Told {
  readonly canonical: string;
  readonly url: string;
  readonly title: string;
  readonly source: string;
  readonly tier: number;
  readonly at_ms: number;
}

/** The items of the last 48 hours: those of the feeds, and stories of Hacker News that lead elsewhere. */
function listTold({ news, stories, read_at_ms, topic }: AINewsInputs): readonly Told[] {
  const of_feeds = news.items
    .filter(({ at_ms }) => read_at_ms - at_ms <= NEWS_MS)
    .map(({ feed, ...item }): Told => ({ ...item, source: feed.title, tier: TIER_WEIGHT[feed.tier] }));
  const known = new Set(of_feeds.map(({ canonical }) => canonical));
  const of_stories = (stories ?? []).flatMap(({ title, url, at_ms }): readonly Told[] => {
    const canonical = canonicalURL(url);
    // A story about something else that only holds the letters "AI" is not news about it.
    if (canonical === null || known.has(canonical) || findTerms(title, topic).length === 0) return [];
    known.add(canonical);
    return [{ canonical, url, title, source: "Hacker News", tier: HN_TIER, at_ms }];
  });
  return [...of_feeds, ...of_stories];
}

/** The story with the most votes that leads to one of these pages. */
function findDiscussion(pages: readonly string[], stories: readonly Story[]): AINewsData["items"][number]["hn"] {
  const [found] = stories
    .filter(({ url }) => pages.includes(canonicalURL(url) ?? ""))
    .toSorted((a, b) => b.points - a.points);
  return found ? { points: found.points, comments: found.comments, url: found.discussion } : null;
}

function renderCluster(items: readonly Told[], { stories, read_at_ms, topic }: AINewsInputs) {
  const terms = [
    ...new Map(items.flatMap(({ title }) => findTerms(title, topic)).map((found) => [found.term, found])).values(),
  ];
  // Best source first, then the earliest.
  const sorted = items.toSorted((a, b) => b.tier - a.tier || a.at_ms - b.at_ms || (a.canonical < b.canonical ? -1 : 1));
  const [best] = sorted;
  if (!best) return [];
  const domains = [...new Set(sorted.map(({ canonical }) => domainOf(canonical)))];
  const newest_ms = Math.max(...items.map(({ at_ms }) => at_ms));
  const ageOf = (at_ms: number): number => Math.max(0, read_at_ms - at_ms) / HOUR_MS;
  const independent = countIndependent(
    items.map(({ title, canonical, at_ms }) => ({ title, domain: domainOf(canonical), at_ms })),
  );
  const factors = rankFactors({ age_h: ageOf(newest_ms), tier: best.tier, domains: independent, terms: terms.length });
  return [
    {
      title: best.title,
      url: best.url,
      domain: domainOf(best.canonical),
      source: best.source,
      published_at: new Date(best.at_ms).toISOString(),
      age_h: ageOf(best.at_ms),
      newest_age_h: ageOf(newest_ms),
      tags: tagsOf(topic).filter((tag) => terms.some((found) => found.tag === tag)),
      score: rankScore(factors),
      factors: { ...factors },
      domains: domains.slice(0, DOMAINS_SHOWN),
      independent,
      hn:
        stories === null
          ? missing(topic === "ai" ? "Hacker News did not answer" : "asked for the topic ai alone")
          : findDiscussion(
              items.map(({ canonical }) => canonical),
              stories,
            ),
    },
  ];
}

/** Clusters ranked by age, source, agreement and subject: the formula is in the README. */
export function computeAINews(inputs: AINewsInputs, limit: number): Computed<Draft<AINewsData>> {
  const { news, read_at_ms, topic } = inputs;
  const told = listTold(inputs);
  const clusters = cluster(told).flatMap((items) => renderCluster(items, inputs));
  const ranked = clusters.toSorted((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1));
  const first_seen_ms = Math.min(...news.items.map((item) => item.first_seen_ms));
  const is_stored = read_at_ms - first_seen_ms >= STORED_DAYS_MIN * DAY_MS;
  const terms = news.items.map(({ title, at_ms }) => ({
    at_ms,
    terms: findTerms(title, topic).map(({ term }) => term),
  }));
  const failed = news.failed.map(({ id }) => id);
  const warnings = [
    ...warnWithheld("items", inputs.withheld),
    ...(failed.length > 0 ? [`coverage.feeds_failed: ${failed.length} feeds were not read in the last six hours`] : []),
    ...(news.barred.length > 0 ? [`coverage.feeds_barred: ${news.barred.length} feeds ask not to be read`] : []),
  ];
  const newest_ms = told.length === 0 ? read_at_ms : Math.max(...told.map(({ at_ms }) => at_ms));
  return {
    data: {
      topic,
      items: ranked.slice(0, limit),
      by_tag: Object.fromEntries(
        tagsOf(topic).map((tag) => [tag, clusters.filter(({ tags }) => tags.includes(tag)).length]),
      ),
      trending_terms: is_stored
        ? findTrending(terms, read_at_ms).map((term) => ({ ...term }))
        : missing("this node has not stored seven days of headlines yet"),
      coverage: {
        feeds_ok: news.fresh.length,
        feeds_failed: failed,
        feeds_dead: news.dead.map(({ id }) => id),
        feeds_barred: news.barred.map(({ id }) => id),
      },
      written_by: "none",
    },
    as_of_ms: Math.min(newest_ms, read_at_ms),
    warnings,
  };
}
