import { messageOf } from "../core/errors.ts";
import { restoreLedger } from "../ledger/restore.ts";
import { EXIT } from "./exit-codes.ts";
import { renderAudit, renderJSON, summariseAudit } from "./render-audit.ts";

/** Puts a backup into an empty data folder. Exit code 3 when its books did not prove true: nothing was restored. */
export function restoreCommand(backup: string, { data, json }: { data: string; json: boolean }): number {
  try {
    const audit = restoreLedger(backup, data);
    if (json) console.log(renderJSON({ data, audit: summariseAudit(audit) }));
    else for (const line of renderAudit(audit)) console.log(line);
    if (!audit.ok) {
      console.error(`nothing was restored: the books in ${backup} are broken`);
      return EXIT.audit;
    }
    if (!json) console.log(`restored into ${data}: put your node-key.pem there before the node starts`);
    return EXIT.ok;
  } catch (error) {
    console.error(`nothing was restored: ${messageOf(error)}`);
    return EXIT.failed;
  }
}
