import type { Database } from "bun:sqlite";
import { composeReport, type LedgerReport, type Period, REPORT_QUESTIONS, type ReportRows } from "../report.ts";

/** Adds up a period of the books. Reads only, and one snapshot: a node may go on writing beside it. */
export function reportLedger(db: Database, period: Period): LedgerReport {
  const ask = <K extends keyof ReportRows>(name: K): ReportRows[K] => {
    const sql = REPORT_QUESTIONS[name];
    const until = { $until: period.until_ms * 1000 };
    const values = sql.includes("$from") ? { ...until, $from: period.from_ms * 1000 } : until;
    return db.query(sql).all(values) as unknown as ReportRows[K];
  };
  const read = (): ReportRows => ({
    revenue: ask("revenue"),
    received: ask("received"),
    promotion: ask("promotion"),
    liability: ask("liability"),
    unknown: ask("unknown"),
    booked: ask("booked"),
    landings: ask("landings"),
    channels: ask("channels"),
    money_settled: ask("money_settled"),
    money_moves: ask("money_moves"),
    money_prepaid: ask("money_prepaid"),
    money_earned: ask("money_earned"),
    money_corrected: ask("money_corrected"),
  });
  return composeReport(period, db.transaction(read)());
}
