import { messageOf } from "../core/errors.ts";
import type { Log } from "../telemetry/log.ts";

export interface GuardedProcess {
  /** What SIGHUP does; until it is set, nothing. */
  onHangup(reload: () => void): void;
}

/**
 * A plugin's forgotten promise or late throw must not take the node down. Money only ever moves through the ledger's
 * own states, so going on is safe; stopping would cost every buyer in flight.
 */
export function guardProcess(log: Log): GuardedProcess {
  let hangUp: (() => void) | null = null;
  ignoreSignals(log, () => hangUp);
  process.on("unhandledRejection", (error) => log.error({ event: "unhandled_rejection", error: messageOf(error) }));
  process.on("uncaughtException", (error) => log.error({ event: "uncaught_exception", error: messageOf(error) }));
  return {
    onHangup: (reload) => {
      hangUp = reload;
    },
  };
}

/** Signals that end a process unless somebody listens: none of them is meant to stop a shop. */
function ignoreSignals(log: Log, hangUp: () => (() => void) | null): void {
  if (process.platform === "win32") return;
  process.on("SIGHUP", () => {
    const reload = hangUp();
    if (reload) reload();
    else log.warn({ event: "signal_ignored", text: "SIGHUP: there is no configuration to read again" });
  });
  process.on("SIGUSR1", () => log.info({ event: "signal_ignored", text: "SIGUSR1" }));
  // Where it means something, somebody else listens as well (wait-for-stop.ts).
  process.on("SIGUSR2", () => undefined);
}
