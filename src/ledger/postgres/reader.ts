import type { SQL } from "bun";
import { sleep, systemTimers } from "../../core/clock.ts";
import { NodeError } from "../../core/errors.ts";
import { faultOf, renderFault } from "./faults.ts";

type Value = string | number | bigint | boolean | Uint8Array | null;

/** Asks the database. Whole numbers of 8 bytes come as bigint. */
export interface Reader {
  all<T>(sql: string, values?: readonly Value[]): Promise<T[]>;
  get<T>(sql: string, values?: readonly Value[]): Promise<T | null>;
}

/** A connection that was cut is opened again; reading twice does no harm. */
const PAUSES_MS = [0, 50, 200];

/** @param sql connections, or one that is inside a transaction: then reads are not retried. */
export function createReader(sql: Pick<SQL, "unsafe">, pauses_ms: readonly number[] = PAUSES_MS): Reader {
  async function all<T>(text: string, values: readonly Value[] = []): Promise<T[]> {
    for (let attempt = 0; ; attempt++) {
      try {
        return [...((await sql.unsafe(text, [...values])) as T[])];
      } catch (error) {
        if (faultOf(error) === "refused") throw error;
        const pause_ms = pauses_ms[attempt];
        if (pause_ms === undefined) throw unreadable(error);
        await sleep(systemTimers, pause_ms);
      }
    }
  }
  return {
    all,
    get: async <T>(text: string, values: readonly Value[] = []) => (await all<T>(text, values))[0] ?? null,
  };
}

const unreadable = (error: unknown): NodeError =>
  new NodeError("ledger_unavailable", "The ledger cannot be read now. Nothing was charged.", {
    cause: renderFault(error),
    retry_after_s: 5,
  });
