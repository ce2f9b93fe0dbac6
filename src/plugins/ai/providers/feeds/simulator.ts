import { defineSimulator, type SimulatedWorld } from "intel-node";
import { FEEDS, type Feed, type FeedTopic } from "./feeds.ts";

const HOUR_MS = 3_600_000;
/** A publisher writes about every so many hours. */
const EVERY_H: Readonly<Record<Feed["tier"], number>> = { 1: 9, 2: 5, 3: 3, 4: 12 };
const SPAN_H = 96;

const AI_NEWS = [
  ...["{} releases open-weight model {}", "{} raises inference prices {}", "{} publishes safety evaluation {}"],
  ...["{} opens data center {}", "{} funding round values startup {}", "Regulators question {} {}"],
  ...["{} shows research on reasoning {}", "{} ships coding agent {}"],
] as const;
const AI_FIELDS = [
  ...["for robotics workloads", "in healthcare pilots", "across European schools", "for small law firms"],
  ...["under export rules", "with lower memory use", "despite power shortages", "for mobile phones"],
  ...["using synthetic speech", "inside spreadsheet software", "before quarterly earnings", "amid staff departures"],
] as const;
const FIELDS = [
  ...["after a long night", "before the holidays", "as markets open", "under new rules", "for a second month"],
  ...["with wide support", "despite warnings", "ahead of a summit", "in a surprise step", "as critics object"],
] as const;

interface Talk {
  readonly who: readonly string[];
  readonly news: readonly string[];
  readonly fields: readonly string[];
}
/** Subjects of the simulated press, all made up. */
const TALK: Readonly<Record<FeedTopic, Talk>> = {
  ai: {
    who: ["OpenAI", "Google", "Meta", "Mistral", "NVIDIA", "Anthropic", "Hugging Face", "Microsoft"],
    news: AI_NEWS,
    fields: AI_FIELDS,
  },
  crypto: {
    who: ["Bitcoin", "Ethereum", "Solana", "Tether", "A lending protocol"],
    news: ["{} ETF draws inflows {}", "{} exploit drains liquidity {}", "Regulators open lawsuit over {} {}"],
    fields: FIELDS,
  },
  macro: {
    who: ["The Fed", "The ECB", "The Bank of England", "The White House"],
    news: ["{} holds interest rates {}", "{} sees inflation cooling {}", "{} weighs tariffs on exports {}"],
    fields: FIELDS,
  },
  geo: {
    who: ["Ukraine", "Israel", "Iran", "Taiwan", "Sudan", "Venezuela", "North Korea"],
    news: ["{} talks of a ceasefire {}", "{} vessel held near strait {}", "Sanctions on {} oil extended {}"],
    fields: FIELDS,
  },
  brazil: {
    who: ["Copom", "Receita", "Tesouro", "Ibovespa"],
    news: ["{} comenta a taxa de juros {}", "{} vê inflação menor {}", "{} reage ao dólar {}"],
    fields: ["após reunião", "antes do feriado", "com apoio amplo", "apesar de alertas", "na abertura"],
  },
};

const pick = <T>(list: readonly T[], part: number): T => list[Math.floor(part * list.length)] as T;
const escapeXML = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** What the world talks about in one hour: several publishers write of it, each in their own words. */
function subjectOf(world: SimulatedWorld, topic: FeedTopic, hour: number): string {
  const { who, news, fields } = TALK[topic];
  const told = pick(news, world.noise(`${topic} news ${hour}`));
  const subject = pick(who, world.noise(`${topic} maker ${hour}`));
  return told.replace("{}", subject).replace("{}", pick(fields, world.noise(`${topic} field ${hour}`)));
}

/** Items of one feed, newest first. */
function listItems(world: SimulatedWorld, { id, title, tier, topic }: Feed) {
  const now_ms = world.now();
  const newest = Math.floor(now_ms / HOUR_MS);
  return Array.from({ length: SPAN_H }, (_, index) => newest - index)
    .filter((hour) => world.noise(`ai ${id} ${hour}`) < 1 / EVERY_H[tier])
    .map((hour) => {
      // Most write of what was news a while before; the words around it are theirs.
      const subject = subjectOf(world, topic, hour - Math.floor(world.noise(`ai lag ${id} ${hour}`) * 6));
      const is_tailed = world.noise(`ai tail ${id} ${hour}`) < 0.4;
      const at_ms = hour * HOUR_MS + Math.floor(world.noise(`ai minute ${id} ${hour}`) * HOUR_MS);
      return { hour, at_ms, title: is_tailed ? `${subject} | ${title}` : subject };
    })
    .filter(({ at_ms }) => at_ms <= now_ms);
}

/** Every third feed is Atom, as in the wild. */
const isAtom = (feed: Feed): boolean => FEEDS.indexOf(feed) % 3 === 2;

export const simulator = defineSimulator({
  provider: "feeds",
  respond({ path, host }, world) {
    const asked = FEEDS.find((one, index) => (index === 0 ? host === undefined : host === one.id));
    // One host in two has a robots.txt that bars others from elsewhere.
    if (asked && path === "/robots.txt" && FEEDS.indexOf(asked) % 2 === 0)
      return { text: "User-agent: *\nDisallow: /private/\n\nUser-agent: some-greedy-bot\nDisallow: /\n" };
    const feed = asked?.path === path ? asked : undefined;
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
