import { expect, test } from "bun:test";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { createLedgerJobs, type LedgerJobOptions } from "./ledger-jobs.ts";

test.each([
  [true, []],
  [false, [{ event: "ledger_log_kept" }]],
])("whether the log of the books was emptied (%p) is read, and said when it was not", async (is_emptied, wanted) => {
  const said: unknown[] = [];
  const jobs = createLedgerJobs({
    ledger: { checkpoint: async () => is_emptied } as unknown as Ledger,
    reconciler: {} as LedgerJobOptions["reconciler"],
    landing: { check: {} } as unknown as LedgerJobOptions["landing"],
    income: null,
    clock: createStillClock(),
    replay_window_ms: 0,
    log: (event) => void said.push(event),
  });
  await jobs.find(({ id }) => id === "ledger-checkpoint")?.run();
  expect(said).toEqual(wanted);
});
