import { renderTime } from "../core/clock.ts";
import type { StatementLine } from "../ledger/statements.ts";

/** A statement as RFC 4180 CSV. No field can hold a comma, a quote or a line break: all of them are ours. */
export function renderCSV(calls: readonly StatementLine[]): string {
  const rows = calls.map(({ id, at_ms, key, product, access, times, amount, refunded }) =>
    [`call_${id}`, renderTime(at_ms), key, product, access, amount, refunded ? "yes" : "no", times].join(","),
  );
  return ["id,at,key_id,product,access,amount_atomic,refunded,calls", ...rows, ""].join("\r\n");
}
