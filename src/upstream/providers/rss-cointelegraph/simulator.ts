import { defineSimulator } from "../../../catalog/simulator.ts";
import { unknownPath } from "../simulated-market.ts";
import { renderSimulatedFeed } from "../simulated-news.ts";

export const simulator = defineSimulator({
  provider: "rss_cointelegraph",
  respond: ({ path }, world) =>
    path === "/rss"
      ? renderSimulatedFeed(world, { source: "rss_cointelegraph", title: "Cointelegraph" })
      : unknownPath(),
});
