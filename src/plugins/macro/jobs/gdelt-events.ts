import { defineJob, outcomeOf } from "intel-node";
import { fetchEventFile, QUARTER_MS } from "../providers/gdelt-events/event-file.ts";
import { gdeltEvents } from "../providers/gdelt-events/provider.ts";
import { eventSlots, newestEvents } from "../theatres/geo-series.ts";

const SLOT_MS = 6 * 3_600_000;
/** What /geo-alpha compares with: 60 days and the one it judges. */
const SLOTS = 61 * 4;
/** A file is there some minutes after its quarter of an hour; one that is not by then may never be. */
const UPLOAD_MS = 180_000;
/** Files of the past that one run fetches: 24 days, a minute and a half at one a second. */
const FILES_MAX = 96;
/** Days that were never reported are not asked for again and again. */
const FAILURES_MAX = 8;

/**
 * Keeps the newest file, and the four of each day that make days comparable. Those that are missing are fetched newest
 * first, one a second, each stored at once: a stopped node continues where it was, and a new one has its 60 days
 * with its third run, ten minutes after its start.
 */
export const job = defineJob({
  id: "gdelt-events",
  schedule: "3-58/5 * * * *",
  providers: [gdeltEvents],
  serves: ["/geo-alpha"],
  at_start: true,
  deadline_ms: 280_000,
  runs_kept: 1,
  async run(context) {
    const last_ms = Math.floor((context.now_ms - UPLOAD_MS) / QUARTER_MS) * QUARTER_MS;
    const has_newest = (await newestEvents.newest(context))?.at_ms === last_ms;
    const newest = has_newest ? null : await outcomeOf(fetchEventFile(context, last_ms));
    if (newest?.ok) await newestEvents.write(context, newest.value, { at_ms: last_ms });
    const known = new Set((await eventSlots.read(context, { last: "75d" })).map(({ at_ms }) => at_ms));
    const last_slot_ms = Math.floor(last_ms / SLOT_MS) * SLOT_MS;
    const wanted = Array.from({ length: SLOTS }, (_, index) => last_slot_ms - index * SLOT_MS);
    const missing = wanted.filter((at_ms) => !known.has(at_ms)).slice(0, FILES_MAX);
    let failures = 0;
    for (const at_ms of missing) {
      if (failures >= FAILURES_MAX || context.signal.aborted) break;
      const counts = await outcomeOf(fetchEventFile(context, at_ms));
      if (counts.ok) await eventSlots.write(context, counts.value, { at_ms });
      else failures += 1;
    }
    if (newest && !newest.ok) throw newest.error;
  },
});
