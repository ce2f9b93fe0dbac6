import { defineJob, toInstant, toLocal } from "intel-node";
import { sec } from "../providers/sec/provider.ts";
import { countItems, cutWindow, listSecFilings } from "../sec-filing/compute.ts";
import { fetchLive, filingDays, itemCounts } from "../sec-filing/fetch.ts";

const ZONE = "America/New_York";
/** EDGAR takes in filings until then. */
const [CLOSE_HOUR, HOUR_MS] = [22, 3_600_000];

/**
 * Stores each weekday, after EDGAR closed, the list of /sec-filing of that evening, and how many filings had each
 * item, so that the product knows what is usual and what was known on a past day.
 */
export const job = defineJob({
  id: "sec-items",
  schedule: "30 3 * * 2-6",
  providers: [sec],
  serves: ["/sec-filing"],
  at_start: false,
  deadline_ms: 60_000,
  sandbox_days: 10,
  async run(context) {
    // The day whose close is the last one past; a run that comes late leaves out what was filed since.
    const known_at = toLocal(ZONE, context.now_ms - CLOSE_HOUR * HOUR_MS).date;
    const close_ms = toInstant(ZONE, known_at, "22:00");
    const listed = await fetchLive(context, known_at);
    const filings = listed.filings.filter(({ accepted_ms }) => accepted_ms <= close_ms);
    const window = cutWindow(filings);
    if (!window) return;
    const at_ms = Date.parse(known_at);
    await filingDays.write(context, listSecFilings({ ...listed, filings }), { at_ms });
    await itemCounts.write(context, countItems(window.filings), { at_ms });
  },
});
