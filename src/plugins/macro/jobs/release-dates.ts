import { defineJob, type Outcome, outcomeOf } from "intel-node";
import { fetchBeaCalendar } from "../providers/bea/calendar.ts";
import { bea } from "../providers/bea/provider.ts";
import { fetchBlsCalendar } from "../providers/bls/calendar.ts";
import { bls } from "../providers/bls/provider.ts";
import { fetchFredReleaseDates } from "../providers/fred-api/calendar.ts";
import { fredApi } from "../providers/fred-api/provider.ts";
import type { ScheduledEvent } from "../releases/kinds.ts";
import { mergeReleases, RELEASE_KINDS, releaseDates, toStored } from "../releases/release-dates.ts";

const NOBODY: Outcome<readonly ScheduledEvent[]> = { ok: true, value: [] };

/**
 * Stores the days of releases while a calendar lists them: those of the BLS and the BEA hold the current year,
 * FRED's, with its free key, all years. A calendar that cannot be read leaves what was known.
 */
export const job = defineJob({
  id: "release-dates",
  schedule: "40 4 * * *",
  providers: [bls, bea, fredApi],
  serves: ["/macro-calendar", "/event-playbook"],
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 1,
  async run(context) {
    const [from_bls, from_bea] = await Promise.all([
      context.usable(bls) ? outcomeOf(fetchBlsCalendar(context)) : NOBODY,
      context.usable(bea) ? outcomeOf(fetchBeaCalendar(context)) : NOBODY,
    ]);
    const failures = [from_bls, from_bea].flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
    const official = [from_bls, from_bea].flatMap((outcome) => (outcome.ok ? outcome.value : []));
    for (const kind of RELEASE_KINDS) {
      const asked = context.usable(fredApi) ? await outcomeOf(fetchFredReleaseDates(context, kind)) : NOBODY;
      if (!asked.ok) failures.push(asked.error);
      const of_kind = official.filter((event) => event.kind === kind).map(toStored);
      const lists = [of_kind, asked.ok ? asked.value.map(toStored) : []];
      if (lists.every((list) => list.length === 0)) continue;
      const known = await releaseDates.newest(context, { of: kind });
      const merged = mergeReleases(lists, { before: known?.value ?? [], read_ms: known?.at_ms ?? 0 });
      if (merged.length > 0) await releaseDates.write(context, [...merged], { of: kind });
    }
    if (failures.length > 0) throw failures[0];
  },
});
