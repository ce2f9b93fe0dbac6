import { resolve } from "node:path";
import { CatalogError } from "../catalog/catalog.ts";
import { systemClock } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import { findFacilitatorFaults } from "../node/compose-facilitators.ts";
import { OwnershipError } from "../node/compose-ownership.ts";
import { DataFolderError } from "../node/data-folder.ts";
import { findEndingTables } from "../node/ending-tables.ts";
import { SecretFileError } from "../node/secret-file.ts";
import { startNode } from "../node/start-node.ts";
import { createLog } from "../telemetry/log.ts";
import { findProxyNote } from "./check-local.ts";
import { EXIT } from "./exit-codes.ts";
import { guardProcess } from "./guard-process.ts";
import { createPlaceGiver, noteRunning } from "./handover/place-giver.ts";
import { removeRunning } from "./handover/running-file.ts";
import { takeOver, waitForTurn } from "./handover/take-over.ts";
import { loadConfigFile, secretsOf, sourceOf } from "./load-config-file.ts";
import { print, printError } from "./print.ts";
import { renderStartScreen } from "./start-screen.ts";
import { VERSION } from "./version.ts";
import { waitForStop } from "./wait-for-stop.ts";

const SCREEN_WAIT_MS = 1_000;
/** What another start would fail of as well: the operator has to change something first. */
const CONFIG_ERRORS = [CatalogError, OwnershipError, DataFolderError, SecretFileError];

/** Runs the node until it is told to stop. Returns the exit code. */
export async function runCommand({ config: file }: { readonly config: string }): Promise<number> {
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
  const { onHangup } = guardProcess(log);
  const data_dir = resolve(config.data.dir);
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
    // A facilitator or a chain that does not answer must not hold the screen back.
    await Promise.race([Promise.all([node.asked, node.checked]), Bun.sleep(SCREEN_WAIT_MS)]);
    const endings = findEndingTables(config, plugins.plugins, systemClock.now());
    const screen = { version: VERSION, config_file: resolve(file), data_dir, proxy_note, endings, node };
    print(renderStartScreen(screen));
    const drain_ms = parseDuration(config.server.drain);
    const ready_ms = parseDuration(config.upgrade.ready_timeout);
    const giver = createPlaceGiver({ node, data_dir, log, drain_ms, ready_ms, onHangup });
    const code = await waitForStop(node, drain_ms, giver);
    removeRunning(data_dir);
    return code;
  } catch (error) {
    log.error({ event: "start_failed", error: messageOf(error) });
    printError(messageOf(error));
    return CONFIG_ERRORS.some((kind) => error instanceof kind) ? EXIT.config : EXIT.failed;
  } finally {
    log.flush();
  }
}
