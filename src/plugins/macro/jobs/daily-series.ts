import { defineJob } from "intel-node";
import { ecb } from "intel-node/providers/ecb/provider";
import { fred } from "intel-node/providers/fred/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { DAILY_INSTRUMENTS, type DailyPoint, dailySeries } from "intel-node/series/daily-series";
import { fetchDailyHistories } from "../daily/fetch-daily.ts";

/** An oil price below 0 (April 2020) is real and has no logarithm: the day is left out. */
const isUsable = ([, value]: DailyPoint, is_log: boolean): boolean => Number.isFinite(value) && (!is_log || value > 0);

/**
 * Stores the whole history of every daily instrument: rates after the ECB published them, yields and oil after New
 * York. An unavailable series keeps the history of the run before, which products know by its last day.
 */
export const job = defineJob({
  id: "daily-series",
  schedule: "20 6,15,22 * * *",
  providers: [ecb, fred, kraken],
  at_start: true,
  deadline_ms: 180_000,
  runs_kept: 1,
  async run(context) {
    const moves = new Map(DAILY_INSTRUMENTS.map(({ id, move }) => [id, move]));
    const failures = await fetchDailyHistories(context, DAILY_INSTRUMENTS, async (id, points) => {
      const usable = points.filter((point) => isUsable(point, moves.get(id) === "log"));
      if (usable.length > 0) await dailySeries.write(context, usable, { of: id });
    });
    if (failures.length > 0) throw failures[0];
  },
});
