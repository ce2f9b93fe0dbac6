import { defineSimulator } from "../../../catalog/simulator.ts";
import { unknownPath } from "../simulated-market.ts";
import { renderSimulatedFeed } from "../simulated-news.ts";

export const simulator = defineSimulator({
  provider: "rss_coindesk",
  respond: ({ path }, world) =>
    path === "/arc/outboundfeeds/rss/"
      ? renderSimulatedFeed(world, { source: "rss_coindesk", title: "CoinDesk" })
      : unknownPath(),
});
