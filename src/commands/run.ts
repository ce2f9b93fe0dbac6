import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findEndingTables } from "../alerts/conditions/ending-tables.ts";
import { CatalogError } from "../catalog/catalog.ts";
import { systemClock } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import { DataFolderError } from "../files/data-folder.ts";
import { SecretFileError } from "../files/secret-file.ts";
import { findFacilitatorFaults } from "../node/compose-facilitators.ts";
import { OwnershipError } from "../node/compose-ownership.ts";
import { startNode } from "../node/start-node.ts";
import { VERSION } from "../releases/version.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import { findProxyNote } from "./check-local.ts";
import { EXIT } from "./exit-codes.ts";
import { type GuardedProcess, guardProcess } from "./guard-process.ts";
import { createPlaceGiver, noteRunning } from "./handover/place-giver.ts";
import { removeRunning } from "./handover/running-file.ts";
import { takeOver, waitForTurn } from "./handover/take-over.ts";
import { loadConfigFile, secretsOf, sourceOf } from "./load-config-file.ts";
import { print, printError } from "./print.ts";
import { isSetupPlace } from "./setup/access.ts";
import { removeEntered } from "./setup/entered.ts";
import { startSetup } from "./setup/start-setup.ts";
import { renderSetupScreen, renderStartScreen } from "./start-screen.ts";
import { waitForStop } from "./wait-for-stop.ts";

const SCREEN_WAIT_MS = 1_000;
/** Causes with which another start would fail too, until the operator changes something. */
const CONFIG_ERRORS = [CatalogError, OwnershipError, DataFolderError, SecretFileError];

export interface RunCommandOptions {
  readonly config: string;
  /** Whether the command line names the file: then a missing file is a mistake and not a new node. */
  readonly is_named: boolean;
  /** Whether a node without a file is set up in a browser; a text says from where. */
  readonly setup?: true | string;
}

/** Runs the node until a stop; without a configuration file it is set up first. Returns the exit code. */
export async function runCommand(options: RunCommandOptions): Promise<number> {
  const { config: file, is_named, setup } = options;
  const is_new = !existsSync(file) && (setup !== undefined || !is_named);
  const guard = createGuard();
  if (is_new) {
    const code = await runSetup({ file, place: typeof setup === "string" ? setup : "here", guard });
    if (code !== null) return code;
  }
  return runConfigured(file, guard);
}

/** Guards a process once, however many nodes run in it one after the other. */
function createGuard(): (log: Log) => GuardedProcess {
  let guarded: GuardedProcess | null = null;
  return (log) => {
    guarded ??= guardProcess(log);
    return guarded;
  };
}

interface SetupRun {
  readonly file: string;
  readonly place: string;
  readonly guard: (log: Log) => GuardedProcess;
}

/** Serves previews until the node is set up. Returns the exit code, or null once the node can sell. */
async function runSetup({ file, place, guard }: SetupRun): Promise<number | null> {
  if (!isSetupPlace(place)) {
    printError(`--setup ${place}: "lan", or an address without a path such as http://umbrel.local:8402`);
    return EXIT.config;
  }
  const log = createLog({ level: "info", format: "json", secrets: [] });
  guard(log);
  try {
    const started = await startSetup({ file: resolve(file), place, log });
    if ("faults" in started) {
      printError(started.faults);
      return EXIT.config;
    }
    const { node, setup_url: address, written, forgetTroubles } = started;
    print(
      renderSetupScreen({ version: VERSION, file: resolve(file), url: node.url, address, is_lan: place === "lan" }),
    );
    let is_written = false;
    const done = written.then(() => {
      is_written = true;
    });
    const code = await waitForStop(node, { done });
    if (!is_written || code !== EXIT.ok) return code;
    forgetTroubles();
    return null;
  } catch (error) {
    return failStart(error, log);
  } finally {
    log.flush();
  }
}

function failStart(error: unknown, log: Log): number {
  log.error({ event: "start_failed", error: messageOf(error) });
  printError(messageOf(error));
  return CONFIG_ERRORS.some((kind) => error instanceof kind) ? EXIT.config : EXIT.failed;
}

async function runConfigured(file: string, guard: (log: Log) => GuardedProcess): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { config, plugins } = loaded;
  const faults = findFacilitatorFaults(config);
  if (faults.length > 0) {
    printError(faults.join("\n"));
    return EXIT.config;
  }
  const log = createLog({ level: config.log.level, format: config.log.format, secrets: secretsOf(loaded) });
  const { onHangup } = guard(log);
  const data_dir = resolve(config.data.dir);
  // A stop between the writing of the file and the end of the set-up leaves this file behind.
  removeEntered(data_dir);
  try {
    const listen = await waitForTurn();
    const node = await startNode({
      config,
      listen,
      data_dir,
      clock: systemClock,
      log,
      version: VERSION,
      sandbox: null,
      plugins,
      source: sourceOf(file, loaded),
    });
    onHangup(() => void node.reload());
    await takeOver(node);
    noteRunning(data_dir, node);
    const proxy_note = findProxyNote(config);
    // A silent facilitator or chain must not delay the screen.
    await Promise.race([Promise.all([node.asked, node.checked]), Bun.sleep(SCREEN_WAIT_MS)]);
    const endings = findEndingTables(config, plugins.plugins, systemClock.now());
    const screen = { version: VERSION, config_file: resolve(file), data_dir, proxy_note, endings, node };
    print(renderStartScreen(screen));
    const drain_ms = parseDuration(config.server.drain);
    const ready_ms = parseDuration(config.upgrade.ready_timeout);
    const giver = createPlaceGiver({ node, data_dir, log, drain_ms, ready_ms, onHangup });
    const code = await waitForStop(node, { drain_ms, giver });
    removeRunning(data_dir);
    return code;
  } catch (error) {
    return failStart(error, log);
  } finally {
    log.flush();
  }
}
