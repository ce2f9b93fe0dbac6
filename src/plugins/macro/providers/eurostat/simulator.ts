import { defineSimulator, toDate } from "intel-node";

const DAYS: Readonly<Record<string, number>> = { prc_hicp_manr: 30, une_rt_m: 31, namq_10_gdp: 14 };

/** The next publication of each data set: one as a text, the others as lists. */
export const simulator = defineSimulator({
  provider: "eurostat",
  respond({ path }, world) {
    const set = path.replace("/statistics/1.0/data/", "");
    const day = DAYS[set];
    if (day === undefined) return { status: 404, json: { error: [{ status: 404, label: "ERR_NOT_FOUND" }] } };
    const now = new Date(world.now());
    const date = toDate(now.getUTCFullYear(), now.getUTCMonth() + (now.getUTCDate() > 13 ? 2 : 1), Math.min(day, 28));
    const planned = `${date}T11:00:00+0200`;
    const disseminationSchedule = { plannedDisseminationDate: set === "une_rt_m" ? planned : [planned] };
    return { json: { class: "dataset", label: set, extension: { datasetMetadata: { disseminationSchedule } } } };
  },
});
