import type { ReloadReport } from "../admin/operated-node.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { askOperation, type NodePlace, reachNode } from "./ask-node.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";

/** Makes the running node reload its configuration, and prints the result. */
export async function reloadCommand({ json, ...place }: NodePlace & { readonly json: boolean }): Promise<number> {
  try {
    const report = (await askOperation(await reachNode(place), "reload")) as unknown as ReloadReport;
    if (json) print(JSON.stringify(report));
    else if (report.ok) print(renderReport(report));
    else printError(`Nothing was changed.\n${report.faults}`);
    return report.ok ? EXIT.ok : EXIT.config;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}

function renderReport({ changed, needs_restart }: Extract<ReloadReport, { ok: true }>): string {
  if (changed.length + needs_restart.length === 0) return "Nothing has changed.";
  return [
    ...changed.map((name) => `  in force  ${escapeInvisible(name)}`),
    ...needs_restart.map((name) => `  restart   ${escapeInvisible(name)} waits for the next start`),
  ].join("\n");
}
