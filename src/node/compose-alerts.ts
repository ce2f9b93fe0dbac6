import { join } from "node:path";
import { type AlertBook, createAlertBook } from "../alerts/alert-book.ts";
import { type AlertEntry, createChannels } from "../alerts/channels.ts";
import { type SentTest, sendTest } from "../alerts/send-test.ts";
import type { Config } from "../config/schema.ts";
import { type AlertParts, findConditions, findHappenings, readDisk } from "./alert-conditions.ts";
import { createOutsideWatch } from "./look-outside.ts";
import type { Core, StartOptions } from "./parts.ts";
import { isUnseen } from "./unseen-alerts.ts";

/** What the operator is told, and what looks for it. */
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

/** Looks what is wrong now, tells it, and sends what is due. */
export async function passAlerts(parts: AlertParts, book: AlertBook): Promise<void> {
  book.update(await findConditions(parts), (id) => isUnseen(id, parts));
  for (const happening of await findHappenings(parts, book)) book.tell(happening);
  await book.deliver();
}

export function composeAlerts(
  { config, data_dir, clock, log, version }: StartOptions,
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
  const { in_force, catalog } = parts.core;
  const outside = createOutsideWatch({ config: () => in_force.config, catalog, now: clock.now });
  const all: AlertParts = { ...parts, config, data_dir, version, outside, readDisk };
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
