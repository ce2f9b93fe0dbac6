import { messageOf } from "../core/errors.ts";
import type { Log } from "../telemetry/log.ts";

/**
 * A plugin's forgotten promise or late throw must not take the node down. Money only ever moves through the ledger's
 * own states, so going on is safe; stopping would cost every buyer in flight.
 */
export function guardProcess(log: Log): void {
  process.on("unhandledRejection", (error) => log.error({ event: "unhandled_rejection", error: messageOf(error) }));
  process.on("uncaughtException", (error) => log.error({ event: "uncaught_exception", error: messageOf(error) }));
}
