import { defineSimulator } from "intel-node";
import { searchSimulatedWeb } from "../simulated-web.ts";

const COUNT = 10;

/** Its own articles: no other source links them by their number. */
export const simulator = defineSimulator({
  provider: "wikipedia",
  respond({ path, query }, world) {
    const q = query.get("srsearch") ?? "";
    if (path !== "/w/api.php" || q === "") return { json: { error: { code: "missingparam", info: "srsearch" } } };
    const search = searchSimulatedWeb(world, "wikipedia", q)
      .slice(0, COUNT)
      .map(({ title }, index) => ({
        ns: 0,
        title: title.replace(/ \|.*$/, ""),
        pageid: 100 + index,
        size: 9_000,
        wordcount: 1_200,
        snippet: `About <span class="searchmatch">${q.replace(/[<>&]/g, " ")}</span> and more`,
        timestamp: "2026-01-01T00:00:00Z",
      }));
    return { json: { batchcomplete: "", query: { searchinfo: { totalhits: search.length }, search } } };
  },
});
