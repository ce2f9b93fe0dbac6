import { join } from "node:path";
import { type AlertBook, createAlertBook } from "../alerts/alert-book.ts";
import { type AlertEntry, createChannels } from "../alerts/channels.ts";
import { eventOf } from "../alerts/plan-messages.ts";
import { type SentTest, sendTest } from "../alerts/send-test.ts";
import type { Config } from "../config/schema.ts";
import { findConditions, findHappenings, readDisk } from "./alert-conditions.ts";
import type { AlertParts } from "./alert-parts.ts";
import { judgeOne, mergeSame } from "./judge-conditions.ts";
import { createOutsideWatch } from "./look-outside.ts";
import type { Core, StartOptions } from "./parts.ts";
import { isUnseen } from "./unseen-alerts.ts";

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

/**
 * Looks for what is wrong now, reports it, and sends what is due. A failed read or write is itself reported and
 * delays nothing else.
 */
export async function passAlerts(parts: AlertParts, book: AlertBook): Promise<void> {
  const [{ conditions, unseen }, sales] = await Promise.all([
    findConditions(parts, book.list().some(({ id }) => id === "offline") && isUnseen({ id: "offline" }, parts)),
    judgeOne({ name: "sales", reads_ledger: true }, parts, () => findHappenings(parts, book)),
  ]);
  const all = "fault" in sales ? mergeSame([...conditions, sales.fault]) : conditions;
  book.update(all, (id, subjects) => unseen.has(eventOf(id)) || isUnseen({ id, subjects }, parts));
  for (const happening of "found" in sales ? sales.found : []) book.tell(happening);
  await book.deliver();
}

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
