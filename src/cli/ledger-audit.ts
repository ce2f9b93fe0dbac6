import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../core/errors.ts";
import { type AuditReport, auditLedger } from "../ledger/audit.ts";
import { openLedgerFile } from "../ledger/open.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";

/** Proves the books of a data folder; works while the node runs. Exit code 3 when a rule is broken. */
export async function ledgerAuditCommand(options: {
  readonly data: string | undefined;
  readonly config: string;
  readonly json: boolean;
}): Promise<number> {
  let directory = options.data;
  if (directory === undefined) {
    const loaded = await loadConfigFile(options.config);
    if ("faults" in loaded) {
      console.error(loaded.faults);
      return EXIT.config;
    }
    directory = loaded.config.data.dir;
  }
  const file = join(directory, "ledger.db");
  if (!existsSync(file)) {
    console.error(`${file} does not exist`);
    return EXIT.config;
  }
  try {
    const db = openLedgerFile(file, { readonly: true });
    const report = auditLedger(db);
    db.close();
    if (options.json) {
      console.log(JSON.stringify(report, (_, value) => (typeof value === "bigint" ? value.toString() : value)));
    } else {
      for (const line of renderAccounts(report)) console.log(line);
      console.log(`${report.transfers} transfers, ${report.receipts} receipts, digest ${report.receipts_digest}`);
      for (const { rule, message } of report.findings) console.log(`BROKEN ${rule}: ${message}`);
      console.log(report.ok ? "balanced: every rule holds" : `${report.findings.length} findings`);
    }
    return report.ok ? EXIT.ok : EXIT.audit;
  } catch (error) {
    console.error(messageOf(error));
    return EXIT.failed;
  }
}

/** Balances; prepaid ones together, because there may be very many. */
export function renderAccounts({ accounts }: AuditReport): readonly string[] {
  const credits = accounts.filter(({ id }) => id.startsWith("credit:"));
  const sum = (name: "posted" | "pending") => credits.reduce((total, account) => total + account[name], 0n);
  const lines = accounts
    .filter(({ id }) => !id.startsWith("credit:"))
    .map(({ id, posted }) => `${id.padEnd(40)} ${posted}`);
  if (credits.length === 0) return lines;
  return [...lines, `${`credit: (${credits.length} keys)`.padEnd(40)} ${sum("posted")}, ${sum("pending")} of it held`];
}
