import { defineSimulator } from "intel-node";
import { readText, searchSimulatedWeb } from "../simulated-web.ts";

export const simulator = defineSimulator({
  provider: "tavily",
  respond({ path, body }, world) {
    const q = readText(body, "query");
    if (path !== "/search" || q === "") return { status: 400, json: { detail: { error: "Query is missing." } } };
    const pages = searchSimulatedWeb(world, "tavily", q);
    const results = pages.map(({ title, url, snippet, at_ms }) => ({
      title,
      url,
      content: snippet,
      score: 0.5,
      published_date: new Date(at_ms).toUTCString(),
    }));
    return { json: { query: q, results, response_time: 0.4 } };
  },
});
