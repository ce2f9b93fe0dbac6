import { defineSimulator } from "intel-node";
import { readText, renderDay, searchSimulatedWeb } from "../simulated-web.ts";

export const simulator = defineSimulator({
  provider: "serper",
  respond({ path, body }, world) {
    const q = readText(body, "q");
    if (path !== "/search" || q === "") return { status: 400, json: { message: "Missing query parameter" } };
    const pages = searchSimulatedWeb(world, "serper", q);
    const results = pages.map(({ title, url, snippet, at_ms }, index) => ({
      title,
      link: url,
      snippet,
      position: index + 1,
      date: renderDay(at_ms),
    }));
    return { json: { searchParameters: { q, type: "search" }, organic: results, credits: 1 } };
  },
});
