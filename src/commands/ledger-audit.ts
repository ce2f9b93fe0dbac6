import { messageOf } from "../core/errors.ts";
import { auditLedger } from "../ledger/audit.ts";
import { openLedgerFile } from "../ledger/open.ts";
import { type DataFolderOptions, findLedgerFile } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { renderAudit, renderJSON } from "./render-audit.ts";

/** Proves the books of a data folder; works while the node runs. Exit code 3 when a rule is broken. */
export async function ledgerAuditCommand(options: DataFolderOptions & { readonly json: boolean }): Promise<number> {
  const found = await findLedgerFile(options);
  if ("faults" in found) {
    console.error(found.faults);
    return EXIT.config;
  }
  try {
    const db = openLedgerFile(found.file, { readonly: true });
    const report = auditLedger(db);
    db.close();
    if (options.json) console.log(renderJSON(report));
    else {
      for (const line of renderAudit(report)) console.log(line);
      console.log(report.ok ? "balanced: every rule holds" : `${report.findings.length} findings`);
    }
    return report.ok ? EXIT.ok : EXIT.audit;
  } catch (error) {
    console.error(messageOf(error));
    return EXIT.failed;
  }
}
