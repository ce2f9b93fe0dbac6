import { defineSimulator } from "intel-node";
import { searchSimulatedWeb } from "../simulated-web.ts";

export const simulator = defineSimulator({
  provider: "brave",
  respond({ path, query }, world) {
    const q = query.get("q") ?? "";
    if (path !== "/res/v1/web/search" || q === "") return { status: 422, json: { type: "ErrorResponse" } };
    const pages = searchSimulatedWeb(world, "brave", q);
    const results = pages.map(({ title, url, snippet, at_ms }) => ({
      title,
      url,
      description: snippet,
      page_age: new Date(at_ms).toISOString().slice(0, 19),
    }));
    return {
      json: {
        type: "search",
        query: { original: q },
        ...(results.length > 0 ? { web: { type: "search", results } } : {}),
      },
    };
  },
});
