import { defineSimulator, toDate } from "intel-node";

const DAYS: Readonly<Record<string, number>> = { prc_hicp_minr: 30, une_rt_m: 31, namq_10_gdp: 14 };

/** The next publication of each data set, among the other remarks. */
export const simulator = defineSimulator({
  provider: "eurostat",
  respond({ path }, world) {
    const set = path.replace("/statistics/1.0/data/", "");
    const day = DAYS[set];
    if (day === undefined) return { status: 404, json: { error: [{ status: 404, label: "ERR_NOT_FOUND" }] } };
    const now = new Date(world.now());
    const date = toDate(now.getUTCFullYear(), now.getUTCMonth() + (now.getUTCDate() > 13 ? 2 : 1), Math.min(day, 28));
    const updated = `${new Date(world.now() - 7 * 86_400_000).toISOString().slice(0, 10)}T23:00:00+0200`;
    const annotation = [
      { type: "DISSEMINATION_OBJECT_TYPE", title: "DATASET" },
      { type: "DISSEMINATION_TIMESTAMP_DATA", date: updated },
      { type: "DISSEMINATION_TIMESTAMP_PLANNED", date: `${date}T11:00:00+0200` },
      { type: "SOURCE_INSTITUTIONS", text: "Eurostat" },
      { type: "UPDATE_DATA", date: updated },
    ];
    return { json: { class: "dataset", label: set, updated, extension: { id: set.toUpperCase(), annotation } } };
  },
});
