import { messageOf } from "../core/errors.ts";
import { auditAt } from "./ask-ledger.ts";
import { type DataFolderOptions, findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { renderAudit, renderJSON } from "./render-audit.ts";

/** Audits the books of a data folder; works while the node runs. Exit code 3 when a rule is broken. */
export async function ledgerAuditCommand(options: DataFolderOptions & { readonly json: boolean }): Promise<number> {
  const found = await findLedger(options);
  if ("faults" in found) {
    printError(found.faults);
    return EXIT.config;
  }
  try {
    const report = await auditAt(found);
    if (options.json) print(renderJSON(report));
    else {
      for (const line of renderAudit(report)) print(line);
      print(report.ok ? "balanced: every rule holds" : `${report.findings.length} findings`);
    }
    return report.ok ? EXIT.ok : EXIT.audit;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}
