import { messageOf } from "../core/errors.ts";
import type { Log } from "../telemetry/log.ts";

/**
 * A plugin's forgotten promise or late throw must not take the node down. Money only ever moves through the ledger's
 * own states, so going on is safe; stopping would cost every buyer in flight.
 */
export function guardProcess(log: Log): void {
  ignoreSignals(log);
  process.on("unhandledRejection", (error) => log.error({ event: "unhandled_rejection", error: messageOf(error) }));
  process.on("uncaughtException", (error) => log.error({ event: "uncaught_exception", error: messageOf(error) }));
}

/** Signals that end a process unless somebody listens: none of them is meant to stop a shop. */
function ignoreSignals(log: Log): void {
  if (process.platform === "win32") return;
  process.on("SIGHUP", () => {
    const text = "SIGHUP: nothing is reloaded; restart the node to read its configuration again";
    log.warn({ event: "signal_ignored", text });
  });
  for (const signal of ["SIGUSR1", "SIGUSR2"] as const) {
    process.on(signal, () => log.info({ event: "signal_ignored", text: signal }));
  }
}
