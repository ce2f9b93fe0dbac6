import { defineSimulator, toDate, toInstant } from "intel-node";

const MONTHS = 24;

/** GDP on the 26th and personal income on the 27th of every month, some of them twice, and a member of another kind. */
export const simulator = defineSimulator({
  provider: "bea",
  respond({ path }, world) {
    if (path !== "/API/signup/release_dates.json") return { status: 404, text: "Not Found" };
    const year = new Date(world.now()).getUTCFullYear();
    const dates = (day: number) =>
      Array.from({ length: MONTHS }, (_, month) => {
        const at_ms = toInstant("America/New_York", toDate(year, month + 1, day), "08:30");
        return new Date(at_ms).toISOString().replace(".000Z", "+00:00");
      });
    return {
      json: {
        "Gross Domestic Product": { release_dates: dates(26), to_be_rescheduled: [] },
        "Personal Income and Outlays": {
          release_dates: [...dates(27), ...dates(27).slice(0, 1)],
          to_be_rescheduled: [],
        },
        "U.S. International Trade in Goods and Services": "see the schedule",
      },
    };
  },
});
