import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { renderTime } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { readCopyPlace } from "../files/copy-order.ts";
import { buildLedger } from "../ledger/copy/build-ledger.ts";
import { NEWEST } from "../ledger/copy/choose-restore.ts";
import { openCopyStore } from "../ledger/copy/open-store.ts";
import { restoreOver } from "../ledger/restore.ts";
import { findCopyKeys } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { renderAudit, renderJSON, summariseAudit } from "./render-audit.ts";
import { findFolders, giveTo } from "./restore.ts";

interface CopyRestore {
  readonly data?: string | undefined;
  readonly at?: string | undefined;
  readonly config?: string | undefined;
  readonly json: boolean;
}

/** Whether a text names a continuous copy rather than a file. */
export const isCopyPlace = (text: string): boolean =>
  text.startsWith("s3:") || (existsSync(text) && statSync(text).isDirectory());

const TIME_FORM = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

function readMoment(at: string | undefined): number {
  if (at === undefined) return NEWEST;
  const ms = TIME_FORM.test(at) ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(ms)) throw new Error(`--at ${at}: a time with its zone, such as 2026-11-29T10:15:00Z`);
  return ms;
}

/**
 * Restores the ledger from its continuous copy. It is built and audited beside the folder first; the present ledger is
 * set aside. Exit code 3 when the books failed the audit: then nothing was changed.
 */
export async function restoreCopyCommand(place: string, { data, at, config, json }: CopyRestore): Promise<number> {
  if (data === undefined) {
    printError(`${place} is the copy of a ledger: say --data DIR, the data folder`);
    return EXIT.config;
  }
  const at_ms = readMoment(at);
  const keys = await findCopyKeys(config);
  if ("faults" in keys) {
    printError(keys.faults);
    return EXIT.config;
  }
  const { existing, missing } = findFolders(data);
  const owner = statSync(existing);
  const work = mkdtempSync(join(resolve(missing.length === 0 ? data : existing), ".copy-"));
  try {
    const image = join(work, "ledger.db");
    const built = await buildLedger(openCopyStore(readCopyPlace(place, keys)), { at_ms, file: image });
    const { audit, set_aside } = restoreOver(image, data, Date.now());
    const state_at = new Date(built.at_ms).toISOString();
    if (json) print(renderJSON({ data, state_at, node: built.owner, set_aside, audit: summariseAudit(audit) }));
    else for (const line of renderAudit(audit)) print(line);
    if (!audit.ok) {
      printError(`nothing was restored: the books in ${place} are broken`);
      return EXIT.audit;
    }
    giveTo([...missing, ...readdirSync(data).map((name) => join(data, name)), data], owner);
    if (!json) for (const line of renderRestored({ data, built, set_aside })) print(line);
    return EXIT.ok;
  } catch (error) {
    printError(`nothing was restored: ${messageOf(error)}`);
    return EXIT.failed;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Restored {
  readonly data: string;
  readonly built: { readonly at_ms: number; readonly owner: string; readonly segments: number };
  readonly set_aside: string | null;
}

function renderRestored({ data, built: { at_ms, owner, segments }, set_aside }: Restored): readonly string[] {
  return [
    `restored into ${data}: the books as of ${renderTime(at_ms)}, one image and ${segments} segments, each proved`,
    ...(set_aside === null ? [] : [`the ledger that was there is ${set_aside}`]),
    `It holds what ${owner === "" ? "the node" : owner} sold. Put its node-key.pem into ${data}, if it is not there.`,
    'Sales after that moment are not in its books: "intel-node books compare" names them.',
  ];
}
