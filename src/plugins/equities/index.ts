import { definePlugin } from "intel-node";
import { config, type EquitiesConfig } from "./config.ts";
import { getCalendar } from "./markets/session.ts";

/** Exchanges that are sold without anybody's licence: their days are watched for everybody. */
const WATCHED = ["XNYS", "XTAI"];

export const plugin = definePlugin({
  id: "equities",
  title: "Equities",
  config,
  dated: ({ holidays }: EquitiesConfig) =>
    WATCHED.map((mic) => ({
      what: `days without trading of ${mic}`,
      last_day: getCalendar(mic, holidays).last_day,
      extend: "[plugins.equities] holidays",
    })),
});
