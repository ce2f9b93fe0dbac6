import { type ISODate, type JobContext, UpstreamError } from "intel-node";
import { storeRatios } from "../agro/stored-ratios.ts";
import { readHolidays } from "../config.ts";
import { fetchTradeFile } from "../providers/b3-files/fetch-trade-file.ts";
import { b3Files } from "../providers/b3-files/provider.ts";
import { fetchSettlementReport } from "../providers/b3-reports/fetch-settlement-report.ts";
import { b3Reports } from "../providers/b3-reports/provider.ts";
import { table as b3Days } from "../tables/b3-days.ts";
import { storeCloses } from "./stored-closes.ts";
import { storeSettlements } from "./stored-days.ts";

/** Which file a day came from; "none" where B3 no longer has one. */
type DaySource = "b3_files" | "b3_reports" | "none";

/** The mark that a day is stored whole. */
async function note(context: JobContext, date: ISODate, source: DaySource): Promise<void> {
  await context.table(b3Days).put([{ date, source, stored_at_ms: context.now_ms }]);
}

/**
 * Stores a day from B3's consolidated file.
 * @returns false without a file of that day.
 * @throws UpstreamError when it is unavailable, or not final.
 */
async function takeTradeFile(context: JobContext, date: ISODate, is_newest: boolean): Promise<boolean> {
  const file = await fetchTradeFile(context, { date, extra: readHolidays(context) });
  if (!file) return false;
  await storeSettlements(context, { ...file, source: "b3_files" }, is_newest);
  await storeCloses(context, { date, day: file.closes, is_newest });
  await storeRatios(context, file);
  await note(context, date, "b3_files");
  return true;
}

/**
 * Stores a past day, from the consolidated file only; a day without one is noted, so that it is not asked for again.
 * @throws UpstreamError
 */
export async function takePastDay(context: JobContext, date: ISODate): Promise<void> {
  if (!(await takeTradeFile(context, date, false))) await note(context, date, "none");
}

/**
 * Stores the newest day: from the consolidated file, else its settlements from the session report, to be replaced by
 * the file when it comes.
 * @throws NodeError when neither is there yet.
 */
export async function takeNewestDay(context: JobContext, date: ISODate): Promise<void> {
  await context.first(`settlements of ${date}`, [
    {
      provider: b3Files,
      run: async () => {
        if (await takeTradeFile(context, date, true)) return;
        throw new UpstreamError("upstream_unavailable", b3Files.id, `B3 has no file of ${date}`);
      },
    },
    {
      provider: b3Reports,
      run: async () => {
        const report = await fetchSettlementReport(context, { date, extra: readHolidays(context) });
        await storeSettlements(context, { ...report, date, source: "b3_reports" }, true);
        await storeRatios(context, { date, settlements: report.settlements });
        await note(context, date, "b3_reports");
      },
    },
  ]);
}
