import { defineSimulator, type SimulatedWorld } from "intel-node";
import { AI_FEEDS, type AIFeed } from "./feeds.ts";

const HOUR_MS = 3_600_000;
/** A publisher writes about every so many hours. */
const EVERY_H: Readonly<Record<AIFeed["tier"], number>> = { 1: 9, 2: 5, 3: 3 };
const SPAN_H = 96;

const MAKERS = ["OpenAI", "Google", "Meta", "Mistral", "NVIDIA", "Anthropic", "Hugging Face", "Microsoft"] as const;
const NEWS = [
  "{} releases open-weight model {}",
  "{} raises inference prices {}",
  "{} publishes safety evaluation {}",
  "{} opens data center {}",
  "{} funding round values startup {}",
  "Regulators question {} {}",
  "{} shows research on reasoning {}",
  "{} ships coding agent {}",
] as const;
const FIELDS = [
  ...["for robotics workloads", "in healthcare pilots", "across European schools", "for small law firms"],
  ...["under export rules", "with lower memory use", "despite power shortages", "for mobile phones"],
  ...["using synthetic speech", "inside spreadsheet software", "before quarterly earnings", "amid staff departures"],
] as const;

const pick = <T>(list: readonly T[], part: number): T => list[Math.floor(part * list.length)] as T;
const escapeXML = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** What the world talks about in one hour: several publishers write of it, each in their own words. */
function subjectOf(world: SimulatedWorld, hour: number): string {
  const news = pick(NEWS, world.noise(`ai news ${hour}`));
  const maker = pick(MAKERS, world.noise(`ai maker ${hour}`));
  return news.replace("{}", maker).replace("{}", pick(FIELDS, world.noise(`ai field ${hour}`)));
}

/** Items of one feed, newest first. */
function listItems(world: SimulatedWorld, { id, title, tier }: AIFeed) {
  const now_ms = world.now();
  const newest = Math.floor(now_ms / HOUR_MS);
  return Array.from({ length: SPAN_H }, (_, index) => newest - index)
    .filter((hour) => world.noise(`ai ${id} ${hour}`) < 1 / EVERY_H[tier])
    .map((hour) => {
      // Most write of what was news a while before; the words around it are theirs.
      const subject = subjectOf(world, hour - Math.floor(world.noise(`ai lag ${id} ${hour}`) * 6));
      const is_tailed = world.noise(`ai tail ${id} ${hour}`) < 0.4;
      const at_ms = hour * HOUR_MS + Math.floor(world.noise(`ai minute ${id} ${hour}`) * HOUR_MS);
      return { hour, at_ms, title: is_tailed ? `${subject} | ${title}` : subject };
    })
    .filter(({ at_ms }) => at_ms <= now_ms);
}

/** Every third feed is Atom, as in the wild. */
const isAtom = (feed: AIFeed): boolean => AI_FEEDS.indexOf(feed) % 3 === 2;

export const simulator = defineSimulator({
  provider: "ai_feeds",
  respond({ path, host }, world) {
    const feed = AI_FEEDS.find(
      (one, index) => one.path === path && (index === 0 ? host === undefined : host === one.id),
    );
    if (!feed) return { status: 404, text: "not found" };
    const items = listItems(world, feed);
    const linkOf = (hour: number) => `https://${feed.host}/${feed.id}/${hour}?utm_source=rss`;
    if (isAtom(feed)) {
      const entries = items.map(
        ({ hour, at_ms, title }) =>
          `<entry><title type="html">${escapeXML(escapeXML(title))}</title><link href="${linkOf(hour)}"/>` +
          `<id>${feed.id}-${hour}</id><published>${new Date(at_ms).toISOString()}</published></entry>`,
      );
      return {
        text: `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title>${entries.join("")}</feed>`,
      };
    }
    const entries = items.map(
      ({ hour, at_ms, title }) =>
        `<item><title><![CDATA[${title}]]></title><link>${linkOf(hour)}</link>` +
        `<pubDate>${new Date(at_ms).toUTCString()}</pubDate></item>`,
    );
    return {
      text: `<rss version="2.0"><channel><title>x</title>${entries.join("")}</channel></rss>`,
    };
  },
});
