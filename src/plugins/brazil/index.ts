import { definePlugin } from "intel-node";
import { type BrazilConfig, config } from "./config.ts";
import { lastMeeting } from "./curve/copom.ts";

export const plugin = definePlugin({
  id: "brazil",
  title: "Brazil",
  config,
  dated: ({ copom_dates }: BrazilConfig) => [
    { what: "meetings of the Copom", last_day: lastMeeting(copom_dates), extend: "[plugins.brazil] copom_dates" },
  ],
});
