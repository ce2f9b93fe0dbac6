import { messageOf } from "../core/errors.ts";
import type { ReloadReport } from "../node/parts.ts";
import { askOperation, type NodePlace, reachNode } from "./ask-node.ts";
import { EXIT } from "./exit-codes.ts";

/** Has the running node read its configuration anew, and says what came of it. */
export async function reloadCommand({ json, ...place }: NodePlace & { readonly json: boolean }): Promise<number> {
  try {
    const report = (await askOperation(await reachNode(place), "reload")) as unknown as ReloadReport;
    if (json) console.log(JSON.stringify(report));
    else if (report.ok) console.log(renderReport(report));
    else console.error(`Nothing was changed.\n${report.faults}`);
    return report.ok ? EXIT.ok : EXIT.config;
  } catch (error) {
    console.error(messageOf(error));
    return EXIT.failed;
  }
}

function renderReport({ changed, needs_restart }: Extract<ReloadReport, { ok: true }>): string {
  if (changed.length + needs_restart.length === 0) return "Nothing has changed.";
  return [
    ...changed.map((name) => `  in force  ${name}`),
    ...needs_restart.map((name) => `  restart   ${name} waits for the next start`),
  ].join("\n");
}
