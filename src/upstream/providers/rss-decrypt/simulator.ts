import { defineSimulator } from "../../../catalog/simulator.ts";
import { unknownPath } from "../simulated-market.ts";
import { renderSimulatedFeed } from "../simulated-news.ts";

export const simulator = defineSimulator({
  provider: "rss_decrypt",
  respond: ({ path }, world) =>
    path === "/feed" ? renderSimulatedFeed(world, { source: "rss_decrypt", title: "Decrypt" }) : unknownPath(),
});
