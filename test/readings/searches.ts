import { searchBrave } from "../../src/plugins/ai/providers/brave/search.ts";
import { searchExa } from "../../src/plugins/ai/providers/exa/search.ts";
import { FEEDS } from "../../src/plugins/ai/providers/feeds/feeds.ts";
import { fetchFeed } from "../../src/plugins/ai/providers/feeds/read-feed.ts";
import { searchSearxng } from "../../src/plugins/ai/providers/searxng/search.ts";
import { searchSerper } from "../../src/plugins/ai/providers/serper/search.ts";
import { searchTavily } from "../../src/plugins/ai/providers/tavily/search.ts";
import { searchWikipedia } from "../../src/plugins/ai/providers/wikipedia/search.ts";
import { fetchArticles } from "../../src/upstream/providers/gdelt/articles.ts";
import { searchStories } from "../../src/upstream/providers/hn-algolia/search-stories.ts";
import { fetchStories } from "../../src/upstream/providers/hn-algolia/stories.ts";
import { NEWS_FEEDS } from "../../src/upstream/providers/news-feeds.ts";
import { fetchHeadlines } from "../../src/upstream/providers/rss.ts";
import type { Readings } from "../helpers/recorded.ts";

const feedOf = (id: string) => {
  const found = FEEDS.find((feed) => feed.id === id);
  if (!found) throw new Error(id);
  return found;
};
const newsOf = (id: string) => {
  const found = NEWS_FEEDS.find(({ provider }) => provider.id === id);
  if (!found) throw new Error(id);
  return found;
};

/** Searches of the web, and news. */
export const searchReadings: Readings = {
  brave: [
    {
      files: ["web-search.json"],
      at: "2026-01-01T00:00:00Z",
      read: (context) => searchBrave(context, "laravel"),
      gives: [
        {
          title: "Laravel - The PHP Framework For Web Artisans",
          url: "https://laravel.com/",
          published_at: "2023-05-01T20:10:05.000Z",
        },
        {},
        {},
      ],
    },
  ],
  exa: [
    {
      files: ["search.json"],
      at: "2026-08-19T00:00:00Z",
      read: (context) => searchExa(context, "Agent Client Protocol"),
      gives: [
        { title: "https://agentclientprotocol.com/protocol/v2/schema" },
        {},
        { url: "https://github.com/agentclientprotocol/agent-client-protocol" },
      ],
    },
  ],
  serper: [
    {
      files: ["search.json"],
      at: "2026-06-01T00:00:00Z",
      read: (context) => searchSerper(context, "who is the cm of tamil nadu"),
      gives: [
        { published_at: null },
        { published_at: "2026-05-10", title: "List of Chief Ministers of Tamilnadu From 1920 to 2026 - StudyIQ" },
      ],
    },
  ],
  tavily: [
    {
      files: ["search.json"],
      at: "2026-06-01T00:00:00Z",
      read: (context) => searchTavily(context, "Kilian Jornet recent achievements 2024"),
      gives: [{ title: 'Kilian Jornet Completes U.S. "States of Elevation" Project', published_at: null }],
    },
  ],
  wikipedia: [
    {
      files: ["search.json"],
      at: "2026-10-05T00:00:00Z",
      read: (context) => searchWikipedia(context, "terminal user interface"),
      gives: [
        { title: "Text-based user interface", url: "https://en.wikipedia.org/?curid=496618" },
        { snippet: "Aqua is a graphical user interface, used in Apple's macOS" },
      ],
    },
  ],
  gdelt: [
    {
      files: ["artlist.json"],
      at: "2026-08-29T00:00:00Z",
      read: (context) => fetchArticles(context, "sanctions"),
      gives: [
        { seen_ms: Date.UTC(2026, 7, 28, 12, 15) },
        { title: "Treasury Launches New Broad Iran Sanctions Initiative and Expands Secondary Sanctions Risk" },
        {},
      ],
    },
  ],
  hn_algolia: [
    {
      files: ["search-by-date.json"],
      at: "2026-09-01T18:00:00Z",
      read: (context) => fetchStories(context, { words: "who is hiring", window_h: 1_000 }),
      gives: [
        {
          title: "Ask HN: Who is hiring? (September 2026)",
          url: "https://news.ycombinator.com/item?id=49522897",
          comments: 283,
          at_ms: 1788274877000,
        },
        { title: "Ask HN: Who is hiring? (August 2026)", comments: 383 },
      ],
    },
    {
      files: ["search.json"],
      at: "2026-01-01T00:00:00Z",
      read: (context) => searchStories(context, "theoretical biologist"),
      gives: [
        {
          title: "Ask HN: How would I visualize URL propagation in the blogosphere?",
          url: "https://news.ycombinator.com/item?id=13133437",
          at_ms: 1481225947000,
        },
      ],
    },
  ],
  feeds: [
    {
      files: ["coindesk.xml"],
      at: "2026-09-30T18:00:00Z",
      read: (context) => fetchFeed(context, feedOf("coindesk")),
      gives: [{ title: "Crypto Long & Short: What will the AI agents run on?", at_ms: 1790780167000 }, {}],
    },
  ],
  rss_coindesk: [
    {
      files: ["feed.xml"],
      at: "2026-09-30T18:00:00Z",
      read: (context) => fetchHeadlines(context, newsOf("rss_coindesk")),
      gives: [{ title: "Crypto Long & Short: What will the AI agents run on?", at_ms: 1790780167000 }, {}],
    },
  ],
  rss_cointelegraph: [
    {
      files: ["feed.xml"],
      at: "2026-09-30T18:00:00Z",
      read: (context) => fetchHeadlines(context, newsOf("rss_cointelegraph")),
      gives: [{ at_ms: 1790788674000 }, { title: "Could THORChain face prosecution over stolen Bitget funds?" }],
    },
  ],
  searxng: [
    {
      files: ["search.json"],
      at: "2026-09-01T00:00:00Z",
      read: (context) => searchSearxng(context, "espresso grind size extraction"),
      gives: [
        { published_at: null },
        { title: "Dialling In Basics | Espresso Aficionados", published_at: null },
        {
          title:
            "r/espresso on Reddit: How do you guys figure out the best grind size without wasting a lot of coffee?",
        },
        { published_at: "2026-02-17T00:00:00.000Z" },
      ],
    },
  ],
};
