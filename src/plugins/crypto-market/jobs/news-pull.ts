import { defineJob, outcomeOf } from "intel-node";
import { NEWS_FEEDS } from "intel-node/providers/news-feeds";
import { fetchHeadlines } from "intel-node/providers/rss";
import { writeNews } from "../news/stored-news.ts";

/** Stores the publishers' headlines; no request ever waits for a feed. */
export const job = defineJob({
  id: "news-pull",
  schedule: "*/10 * * * *",
  providers: NEWS_FEEDS.map(({ provider }) => provider),
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 6,
  async run(context) {
    const feeds = NEWS_FEEDS.filter(({ provider }) => context.usable(provider));
    const pulls = await Promise.all(
      feeds.map(async (feed) => ({ feed, outcome: await outcomeOf(fetchHeadlines(context, feed)) })),
    );
    for (const { feed, outcome } of pulls) {
      if (outcome.ok) await writeNews(context, feed, outcome.value);
    }
    const failed = pulls.filter(({ outcome }) => !outcome.ok);
    const [first] = failed;
    if (!first || first.outcome.ok) return;
    const names = failed.map(({ feed }) => feed.provider.id).join(", ");
    throw new Error(`no headlines of ${names}`, { cause: first.outcome.error });
  },
});
