import { defineJob, outcomeOf } from "intel-node";
import { aiFeeds } from "../providers/ai-feeds/provider.ts";
import { fetchFeed } from "../providers/ai-feeds/read-feed.ts";
import { listFeeds, noteRead, writeFeed } from "../shared/news/stored-news.ts";

/** Stores the feeds' headlines, six feeds at a time; no request ever waits for one. */
export const job = defineJob({
  id: "feeds",
  schedule: "*/10 * * * *",
  providers: [aiFeeds],
  at_start: true,
  deadline_ms: 240_000,
  runs_kept: 1,
  async run(context) {
    const feeds = listFeeds(context);
    const pulls = await Promise.all(
      feeds.map(async (feed) => ({ feed, outcome: await outcomeOf(fetchFeed(context, feed)) })),
    );
    for (const { feed, outcome } of pulls) {
      if (outcome.ok) await writeFeed(context, feed, outcome.value);
      else await noteRead(context, feed, false);
    }
    const failed = pulls.flatMap(({ feed, outcome }) => (outcome.ok ? [] : [{ feed, error: outcome.error }]));
    if (failed.length === feeds.length && feeds.length > 0) {
      throw new Error("no feed could be read", { cause: failed[0]?.error });
    }
  },
});
