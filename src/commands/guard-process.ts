import { messageOf } from "../core/errors.ts";
import type { Log } from "../telemetry/log.ts";

export interface GuardedProcess {
  /** The action on SIGHUP; nothing until it is set. */
  onHangup(reload: () => void): void;
}

/**
 * Keeps the node running after a plugin's unhandled rejection or late exception. Money only moves through the ledger's
 * states, so it is safe to continue, while a stop would fail every call in progress.
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

/** Signals that end a process without a listener, although none of them is meant to stop a shop. */
function ignoreSignals(log: Log, hangUp: () => (() => void) | null): void {
  if (process.platform === "win32") return;
  process.on("SIGHUP", () => {
    const reload = hangUp();
    if (reload) reload();
    else log.warn({ event: "signal_ignored", text: "SIGHUP: there is no configuration to read again" });
  });
  process.on("SIGUSR1", () => log.info({ event: "signal_ignored", text: "SIGUSR1" }));
  // Where a signal has a meaning, another listener handles it (wait-for-stop.ts).
  process.on("SIGUSR2", () => undefined);
}
