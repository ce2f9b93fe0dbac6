import { messageOf } from "../core/errors.ts";
import { reportAt } from "./ask-ledger.ts";
import { type DataFolderOptions, findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { PERIOD_FAULT, readPeriod } from "./read-period.ts";
import { renderReportCSV, renderReportJSON, renderReportText } from "./render-report.ts";

export interface ReportOptions extends DataFolderOptions {
  /** First and last day, UTC, both part of the period: "2026-11-01". */
  readonly from: string;
  readonly to: string;
  readonly csv: boolean;
  readonly json: boolean;
}

/** Adds up what was earned, received, given away and is owed; works while the node runs. */
export async function ledgerReportCommand(options: ReportOptions): Promise<number> {
  const period = readPeriod(options);
  if (period === null) {
    printError(PERIOD_FAULT);
    return EXIT.config;
  }
  const found = await findLedger(options);
  if ("faults" in found) {
    printError(found.faults);
    return EXIT.config;
  }
  try {
    const report = await reportAt(found, period);
    const render = options.csv ? renderReportCSV : options.json ? renderReportJSON : renderReportText;
    print(render(report).trimEnd());
    return EXIT.ok;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}
