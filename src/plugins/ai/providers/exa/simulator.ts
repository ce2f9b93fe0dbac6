import { defineSimulator } from "intel-node";
import { readText, searchSimulatedWeb } from "../simulated-web.ts";

export const simulator = defineSimulator({
  provider: "exa",
  respond({ path, body }, world) {
    const q = readText(body, "query");
    if (path !== "/search" || q === "") return { status: 400, json: { error: "Invalid request body" } };
    const pages = searchSimulatedWeb(world, "exa", q);
    // Not every page has a title there.
    const results = pages.map(({ title, url, snippet, at_ms }, index) => ({
      id: url,
      title: index === 1 ? "" : title,
      url,
      publishedDate: new Date(at_ms).toISOString(),
      text: snippet,
    }));
    return { json: { requestId: "simulated", results, costDollars: { total: 0.005 } } };
  },
});
