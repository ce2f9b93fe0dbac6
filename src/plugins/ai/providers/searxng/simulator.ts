import { defineSimulator } from "intel-node";
import { searchSimulatedWeb } from "../simulated-web.ts";

export const simulator = defineSimulator({
  provider: "searxng",
  respond({ path, query }, world) {
    const q = query.get("q") ?? "";
    if (path !== "/search" || query.get("format") !== "json") return { status: 403, text: "Forbidden" };
    const pages = searchSimulatedWeb(world, "searxng", q);
    const results = pages.map(({ title, url, snippet, at_ms }) => ({
      url,
      title,
      content: snippet,
      engine: "a",
      score: 1,
      publishedDate: new Date(at_ms).toISOString().slice(0, 19),
    }));
    return { json: { query: q, results } };
  },
});
