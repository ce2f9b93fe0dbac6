import { systemClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { PERIOD_FAULT, type PeriodOptions, readPeriod } from "../core/named-period.ts";
import { reportAt } from "./ask-ledger.ts";
import { type DataFolderOptions, findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { renderReportCSV, renderReportJSON, renderReportText } from "./render-report.ts";

export interface ReportOptions extends DataFolderOptions, PeriodOptions {
  readonly csv: boolean;
  readonly json: boolean;
}

/** Adds up what was earned, received and given away, and what is owed; works while the node runs. */
export async function ledgerReportCommand(options: ReportOptions): Promise<number> {
  const period = readPeriod(options, systemClock.now());
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
