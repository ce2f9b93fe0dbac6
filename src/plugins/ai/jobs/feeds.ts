import { defineJob, outcomeOf } from "intel-node";
import { listFeeds, noteRead, writeFeed } from "../news/stored-news.ts";
import type { Feed } from "../providers/feeds/feeds.ts";
import { feedFamily } from "../providers/feeds/provider.ts";
import { fetchFeed } from "../providers/feeds/read-feed.ts";
import { isAllowed } from "../providers/feeds/robots.ts";

const AT_ONCE = 6;

/** Stores the feeds' headlines, six feeds at a time; no request ever waits for one. */
export const job = defineJob({
  id: "feeds",
  schedule: "*/10 * * * *",
  providers: [feedFamily],
  at_start: true,
  deadline_ms: 240_000,
  runs_kept: 1,
  async run(context) {
    const waiting = [...listFeeds(context)];
    const failures: unknown[] = [];
    let read = 0;
    const readOne = async (feed: Feed): Promise<void> => {
      const outcome = await outcomeOf(
        isAllowed(context, feed).then((allowed) => (allowed ? fetchFeed(context, feed) : null)),
      );
      if (!outcome.ok) {
        failures.push(outcome.error);
        return noteRead(context, feed, "failed");
      }
      if (outcome.value === null) return noteRead(context, feed, "barred");
      read += 1;
      return writeFeed(context, feed, outcome.value);
    };
    const readOn = async (): Promise<void> => {
      for (let feed = waiting.shift(); feed; feed = waiting.shift()) await readOne(feed);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readOn));
    if (read === 0 && failures.length > 0) throw new Error("no feed could be read", { cause: failures[0] });
  },
});
