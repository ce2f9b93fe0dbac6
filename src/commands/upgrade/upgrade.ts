import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../config/schema.ts";
import { sleep, systemTimers } from "../../core/clock.ts";
import { parseDuration } from "../../core/duration.ts";
import { messageOf } from "../../core/errors.ts";
import { MIGRATIONS } from "../../ledger/sqlite/migrate.ts";
import { isHeldByNode, lockDataDirectory } from "../../ledger/sqlite/open.ts";
import { readSchema } from "../../ledger/sqlite/upgrade-copy.ts";
import { fetchProgram, fetchRelease, findArchive } from "../../releases/fetch-release.ts";
import { parseReleaseKey } from "../../releases/minisign.ts";
import { compareVersions, type ProgramRelease } from "../../releases/release-file.ts";
import { RELEASE_KEY, VERSION } from "../../releases/version.ts";
import { EXIT } from "../exit-codes.ts";
import { handOverMsMax } from "../handover/hand-over.ts";
import { type RunningFacts, readRunning } from "../handover/running-file.ts";
import { loadConfigFile } from "../load-config-file.ts";
import { print, printError } from "../print.ts";
import { proveProgram } from "./prove-program.ts";

export interface UpgradeOptions {
  readonly config: string;
  /** Only prints the available release. */
  readonly check: boolean;
  /** A release other than the newest. */
  readonly to?: string;
}

/** Time for the copy of a large ledger, its audit and its migration. */
const COPY_MS_MAX = 600_000;
const LOOK_EVERY_MS = 200;

/** The reason why this program cannot replace itself; null if it can. */
function whyNotReplaceable(program: string): string | null {
  if (/(?:^|\/)bun(?:\.exe)?$/.test(program)) return "this runs from sources: pull them and build";
  try {
    accessSync(dirname(program), constants.W_OK);
    return null;
  } catch {
    return `this user may not write to ${dirname(program)}: run it as the user who installed it (sudo)`;
  }
}

/** @throws Error when the other release could not read the ledger. */
function assertReadable({ version, ledger_schema }: ProgramRelease, data_dir: string): void {
  if (ledger_schema >= MIGRATIONS.length || !existsSync(join(data_dir, "ledger.db"))) return;
  throw new Error(
    `version ${version} reads ledgers up to schema ${ledger_schema}, yours has ${MIGRATIONS.length}: no way back. ` +
      'Restore a copy from before the upgrade instead: see "Upgrading" in the operator\'s guide',
  );
}

/** Whether this program cannot read the ledger any more. */
function isLedgerNewer(data_dir: string): boolean {
  const ledger = join(data_dir, "ledger.db");
  return existsSync(ledger) && readSchema(ledger) > MIGRATIONS.length;
}

/** The reason to do nothing. @param found a release not newer than this one. @param to the requested one. */
export function describeCurrent(found: string, to: string | undefined): string {
  if (to !== undefined) return `this is ${VERSION} already`;
  return found === VERSION ? `${VERSION} is the newest` : `${VERSION} is newer than ${found}, the newest there`;
}

/** Whether a node runs on the folder that cannot hand over, as on systems other than Linux. */
function isNodeThere(data_dir: string): boolean {
  if (!existsSync(data_dir)) return false;
  try {
    lockDataDirectory(data_dir)();
    return false;
  } catch (error) {
    return isHeldByNode(error);
  }
}

/** Replaces a program file by another, and keeps the old file beside it. */
function replaceProgram(program: string, place: string): { readonly undo: () => void } {
  const previous = `${place}.previous`;
  chmodSync(program, 0o755);
  // A rename across disks is impossible. Within the folder it is, and happens whole or not at all.
  const beside = `${place}.new`;
  copyFileSync(program, beside);
  chmodSync(beside, 0o755);
  rmSync(previous, { force: true });
  renameSync(place, previous);
  renameSync(beside, place);
  return { undo: () => renameSync(previous, place) };
}

/**
 * Tells a running node to hand over to the program that is now at its path.
 * @throws Error when another version than the wanted one serves afterwards.
 */
async function handOverTo(version: string, before: RunningFacts, { data, server, upgrade }: Config): Promise<void> {
  const times = { drain_ms: parseDuration(server.drain), ready_ms: parseDuration(upgrade.ready_timeout) };
  const within_ms = handOverMsMax(times) + COPY_MS_MAX;
  process.kill(before.pid, "SIGUSR2");
  for (let waited_ms = 0; waited_ms < within_ms; waited_ms += LOOK_EVERY_MS) {
    await sleep(systemTimers, LOOK_EVERY_MS);
    const now = readRunning(data.dir);
    if (now?.failed !== undefined && now.failed !== before.failed) throw new Error(`it would not start: ${now.failed}`);
    if (now === null || now.pid === before.pid) continue;
    if (now.version === version) return;
    throw new Error(`it was not ready in time; version ${now.version} serves again`);
  }
  throw new Error("the node did not give its place away; its log says why");
}

async function install(
  { file, url, config }: { readonly file: string; readonly url: string; readonly config: Config },
  release: ProgramRelease,
): Promise<void> {
  const data_dir = config.data.dir;
  const place = process.execPath;
  const why = whyNotReplaceable(place);
  if (why !== null) throw new Error(why);
  const folder = mkdtempSync(join(dirname(place), ".intel-node-upgrade-"));
  try {
    const program = await fetchProgram(url, release, folder);
    proveProgram(program, { config: resolve(file), data_dir, folder, version: release.version });
    print(`${release.version}: signed, whole, and able to read your ledger`);
    const { undo } = replaceProgram(program, place);
    const running = readRunning(data_dir);
    if (running === null) {
      const node = isNodeThere(data_dir) ? "the node runs on with the old one until it is restarted" : "no node runs";
      print(`${place} is version ${release.version} now; ${node}. Before: ${place}.previous`);
      return;
    }
    try {
      await handOverTo(release.version, running, config);
    } catch (error) {
      if (isLedgerNewer(data_dir)) {
        const advice = `only ${release.version} reads what it wrote; ${place} stays that version: start it`;
        throw new Error(`${messageOf(error)}. ${advice}`, { cause: error });
      }
      undo();
      throw new Error(`${place} is version ${VERSION} again: ${messageOf(error)}`, { cause: error });
    }
    print(`${release.version} serves; calls were held meanwhile. Before: ${place}.previous`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Changes program and running node to another release, or leaves both unchanged. */
export async function upgradeCommand({ config: file, check, to }: UpgradeOptions): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { config } = loaded;
  const { url, key = RELEASE_KEY } = config.upgrade;
  if (url === undefined || key === null) {
    printError(
      url === undefined
        ? "[upgrade] url is not set: it names the folder releases are fetched from"
        : "no release key was built into this program, and [upgrade] key is not set: a forgery could not be told",
    );
    return EXIT.config;
  }
  if (config.ledger.url !== undefined) {
    const instead = "back up, stop the node, replace the program";
    printError(`the books are in PostgreSQL, where no copy can be put back by itself: ${instead}`);
    return EXIT.config;
  }
  try {
    const release = await fetchRelease(url, parseReleaseKey(key), to);
    const order = compareVersions(release.version, VERSION);
    if (order === 0 || (order < 0 && to === undefined)) {
      print(describeCurrent(release.version, to));
      return EXIT.ok;
    }
    assertReadable(release, config.data.dir);
    if (check) {
      const { bytes } = findArchive(release);
      const command = `"intel-node upgrade${to === undefined ? "" : ` --to ${release.version}`}"`;
      // The advice leaves out a command that would not work.
      const next = whyNotReplaceable(process.execPath) ?? command;
      print(`${release.version} is there (${Math.ceil(bytes / 1e6)} MB); this is ${VERSION}. ${next}`);
      return EXIT.ok;
    }
    await install({ file, url, config }, release);
    return EXIT.ok;
  } catch (error) {
    printError(`not upgraded: ${messageOf(error)}`);
    return EXIT.failed;
  }
}
