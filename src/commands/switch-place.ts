import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SwitchDesk } from "../admin/switch-desk.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { systemClock } from "../core/clock.ts";
import { loadSwitches, readSwitches, type StoredSwitches, writeSwitches } from "../files/switch-file.ts";
import { isHeldByNode, lockDataDirectory } from "../ledger/sqlite/open.ts";
import { composeCatalog, composeUpstream } from "../node/compose-catalog.ts";
import { createModelRule } from "../node/compose-models.ts";
import { VERSION } from "../releases/version.ts";
import { createLog } from "../telemetry/log.ts";
import type { LoadedFile } from "./load-config-file.ts";

/** The desk of a node that does not run. */
export interface ClosedDesk extends SwitchDesk {
  readonly close: () => void;
}

/**
 * The catalog of this configuration, with the switches in its data folder, whether or not a node runs there.
 * @throws Error when the switches cannot be read.
 */
export function readSold({ config, plugins }: LoadedFile, directory: string) {
  const log = createLog({ level: "silent", format: "json", secrets: [] });
  const upstream = composeUpstream({
    config,
    plugins: plugins.plugins,
    clock: systemClock,
    log,
    version: VERSION,
    sandbox: null,
  });
  const stored = loadSwitches(directory);
  const switchesOf = (at: StoredSwitches) => readSwitches(config, at, systemClock.now);
  const judge = (at: StoredSwitches): Catalog =>
    composeCatalog(config, plugins, { upstream, models: createModelRule(config), switches: switchesOf(at) });
  return { stored, judge, catalog: judge(stored), switches: switchesOf(stored), upstream };
}

/**
 * Opens the data folder of a node that does not run, to change its switches.
 * @returns null while a node runs on it: then that node must be called.
 * @throws Error when the folder does not exist, or its switches cannot be read.
 */
export function openClosedDesk(loaded: LoadedFile, directory: string): ClosedDesk | null {
  if (!existsSync(join(directory, "node-key.pem"))) {
    throw new Error(
      `${directory} is no data folder of a node yet: start the node once, or name the folder with --data`,
    );
  }
  let close: () => void;
  try {
    close = lockDataDirectory(directory);
  } catch (error) {
    if (isHeldByNode(error)) return null;
    throw error;
  }
  try {
    const sold = readSold(loaded, directory);
    let { stored, catalog } = sold;
    return {
      config: () => loaded.config,
      stored: () => stored,
      catalog: () => catalog,
      judge: sold.judge,
      async put(change) {
        const next = change(stored);
        const judged = sold.judge(next);
        writeSwitches(directory, next);
        [stored, catalog] = [next, judged];
      },
      now_ms: systemClock.now,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
