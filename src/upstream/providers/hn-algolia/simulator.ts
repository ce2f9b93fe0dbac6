import { defineSimulator, type SimulatedAnswer, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { readLimit, unknownPath } from "../simulated-market.ts";
import { getSimulatedStories } from "../simulated-news.ts";

const HOURS = 168;

const STORIES = 6;
const DAY_MS = 86_400_000;

/** Stories of all times about anything but what nobody ever wrote of. */
function search(world: SimulatedWorld, words: string): SimulatedAnswer {
  const count = words === "" || words.includes("zzzz") ? 0 : STORIES;
  const hits = Array.from({ length: count }, (_, index) => ({
    objectID: String(1_000 + Math.floor(world.noise(`hn ${words} ${index}`) * 1e6)),
    title: `Show HN: ${words}, take ${index + 1}`,
    url: index % 3 === 2 ? null : `https://www.lab.example/${words.replaceAll(" ", "-")}/${index * 4 + 6}/`,
    author: "someone",
    points: 40 - index,
    num_comments: 12,
    created_at_i: Math.floor((world.now() - (index + 1) * 30 * DAY_MS) / 1000),
  }));
  return { json: { hits, nbHits: hits.length, page: 0, nbPages: 1, hitsPerPage: 20, query: words } };
}

export const simulator = defineSimulator({
  provider: "hn_algolia",
  respond({ path, query }, world) {
    const words = (query.get("query") ?? "").toLowerCase();
    if (path === "/search") return search(world, words);
    if (path !== "/search_by_date") return unknownPath();
    const since_s = Number(/^created_at_i>=?(\d{1,12})$/.exec(query.get("numericFilters") ?? "")?.[1] ?? 0);
    // Every story of the sandbox contains "crypto".
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
      }));
    return { json: { hits, nbHits: hits.length } };
  },
});
