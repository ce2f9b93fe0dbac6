import { messageOf } from "../core/errors.ts";
import { openLedgerFile } from "../ledger/open.ts";
import { reportLedger } from "../ledger/report.ts";
import { type DataFolderOptions, findLedgerFile } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { renderReportCSV, renderReportJSON, renderReportText } from "./render-report.ts";

const DAY_MS = 86_400_000;

export interface ReportOptions extends DataFolderOptions {
  /** First and last day, UTC, both part of the period: "2026-11-01". */
  readonly from: string;
  readonly to: string;
  readonly csv: boolean;
  readonly json: boolean;
}

/** Start of a day in ms, or null when the text is no day of the calendar. */
function readDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const start_ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(start_ms) && new Date(start_ms).toISOString().startsWith(text) ? start_ms : null;
}

/** Adds up what was earned, received, given away and is owed; works while the node runs. */
export async function ledgerReportCommand(options: ReportOptions): Promise<number> {
  const from_ms = readDay(options.from);
  const last_ms = readDay(options.to);
  if (from_ms === null || last_ms === null || last_ms < from_ms) {
    console.error('--from and --to are days such as "2026-11-01", in this order');
    return EXIT.config;
  }
  const found = await findLedgerFile(options);
  if ("faults" in found) {
    console.error(found.faults);
    return EXIT.config;
  }
  try {
    const db = openLedgerFile(found.file, { readonly: true });
    const report = reportLedger(db, { from_ms, until_ms: last_ms + DAY_MS });
    db.close();
    const render = options.csv ? renderReportCSV : options.json ? renderReportJSON : renderReportText;
    process.stdout.write(`${render(report).trimEnd()}\n`);
    return EXIT.ok;
  } catch (error) {
    console.error(messageOf(error));
    return EXIT.failed;
  }
}
