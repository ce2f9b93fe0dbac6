import { defineJob, outcomeOf } from "intel-node";
import { estimateNextReport, expectNext } from "../companies/earnings.ts";
import { loadCompany } from "../companies/load-company.ts";
import { UNIVERSE } from "../companies/universe.ts";
import { readEarnings } from "../earnings-whisper/read-company.ts";
import { earningsCalendar } from "../earnings-whisper/stored-calendar.ts";
import { sec } from "../providers/sec/provider.ts";

/** The fewest companies of a usable calendar. */
const SHARE_MIN = 0.8;

/** Works out every night when the companies of the universe report next, one file after the other. */
export const job = defineJob({
  id: "earnings-calendar",
  schedule: "10 8 * * *",
  providers: [sec],
  serves: ["/earnings-whisper"],
  at_start: true,
  deadline_ms: 600_000,
  runs_kept: 1,
  async run(context) {
    const today = new Date(context.now_ms).toISOString().slice(0, 10);
    const reports = [];
    let size = 0;
    for (const symbol of UNIVERSE) {
      const company = await outcomeOf(loadCompany(context, symbol));
      if (!company.ok) continue;
      size += 1;
      const { facts, registrant, listing } = company.value;
      const next = estimateNextReport(registrant.filings, today);
      if (!next) continue;
      const quarters = readEarnings({ facts, filings: registrant.filings }, today).map(({ eps }) => eps);
      const eps_expected = expectNext(quarters)?.expected ?? null;
      reports.push({ symbol, cik: listing.cik, company: listing.name, date: next.date, hour: next.hour, eps_expected });
    }
    if (size < UNIVERSE.length * SHARE_MIN)
      throw new Error(`only ${size} of ${UNIVERSE.length} companies could be read`);
    await earningsCalendar.write(context, { size, reports });
  },
});
