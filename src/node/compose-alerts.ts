import { join } from "node:path";
import { type AlertBook, createAlertBook } from "../alerts/alert-book.ts";
import { type AlertEntry, createChannels } from "../alerts/channels.ts";
import { readDisk } from "../alerts/conditions/alert-conditions.ts";
import type { AlertParts } from "../alerts/conditions/alert-parts.ts";
import { createOutsideWatch } from "../alerts/conditions/look-outside.ts";
import { passAlerts } from "../alerts/conditions/pass-alerts.ts";
import { type SentTest, sendTest } from "../alerts/send-test.ts";
import type { Config } from "../config/schema.ts";
import type { Core, StartOptions } from "./parts.ts";

/** What the operator is alerted to, and the job that looks for it. */
export interface Alerts {
  readonly book: AlertBook;
  /** Looks what is wrong now, and sends what is due. */
  pass(): Promise<void>;
  /** Looks at what no call of a buyer shows: the certificate, the clock, newer versions. */
  lookOutside(): Promise<void>;
  /** Sends one message by every way, and says what came of it. */
  test(): Promise<readonly SentTest[]>;
  /** Tells it by other ways from now on. */
  configure(config: Pick<Config, "alerts">): void;
}

export const alertEntries = ({ alerts }: Pick<Config, "alerts">): readonly AlertEntry[] => alerts;

export function composeAlerts(
  { config, data_dir, clock, timers, log, version }: StartOptions,
  parts: Pick<AlertParts, "claims" | "money" | "states"> & { readonly core: Core },
): Alerts {
  const create = (now: Pick<Config, "alerts">) =>
    createChannels(alertEntries(now), { node_name: config.node.name, version });
  let channels = create(config);
  const book = createAlertBook({
    file: join(data_dir, "alerts.json"),
    clock,
    log: log.warn,
    get channels() {
      return channels;
    },
  });
  const { in_force, catalog, stores } = parts.core;
  const webhooks = stores.watch_hooks.troubles;
  const stuck_channels = parts.core.stand_ins?.channels?.stuck;
  const outside = createOutsideWatch({ config: () => in_force.config, catalog, now: clock.now });
  const all: AlertParts = { ...parts, webhooks, stuck_channels, config, data_dir, version, timers, outside, readDisk };
  return {
    book,
    lookOutside: outside.pass,
    test: () => sendTest(channels, clock.now()),
    configure(now) {
      channels = create(now);
    },
    pass: () => passAlerts(all, book),
  };
}
