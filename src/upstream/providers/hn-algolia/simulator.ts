import { defineSimulator } from "../../../catalog/simulator.ts";
import { readLimit, unknownPath } from "../simulated-market.ts";
import { getSimulatedStories } from "../simulated-news.ts";

const HOURS = 168;

export const simulator = defineSimulator({
  provider: "hn_algolia",
  respond({ path, query }, world) {
    if (path !== "/search_by_date") return unknownPath();
    const words = (query.get("query") ?? "").toLowerCase();
    const since_s = Number(/^created_at_i>=?(\d{1,12})$/.exec(query.get("numericFilters") ?? "")?.[1] ?? 0);
    // "crypto" stands in every story of the sandbox.
    const matches = (title: string) => words.startsWith("crypto") || title.toLowerCase().includes(words);
    const hits = getSimulatedStories(world, "hacker news", HOURS)
      .filter(({ title, at_ms }) => matches(title) && at_ms >= since_s * 1000)
      .slice(0, readLimit(query.get("hitsPerPage"), 20, 1_000))
      .map(({ id, title, at_ms, points }) => ({
        objectID: id,
        title,
        url: null,
        author: "someone",
        points,
        num_comments: Math.floor(points / 3),
        created_at: new Date(at_ms).toISOString(),
        created_at_i: Math.floor(at_ms / 1000),
        _tags: ["story", `story_${id}`],
      }));
    return { json: { hits, nbHits: hits.length, page: 0, nbPages: 1, hitsPerPage: 50 } };
  },
});
