import { systemClock } from "../../src/core/clock.ts";
import { openLedger } from "../../src/ledger/ledger.ts";

/** Writes refunds of one atomic unit until it is killed, and says each reference once its promise has resolved. */
const [file = "", receipt_id = ""] = process.argv.slice(2);
const ledger = openLedger({ file, clock: systemClock });
for (let n = 0; ; n += 1) {
  const reference = `0x${n}`;
  await ledger.refunds.giveBack({ receipt_id, amount: 1n, reference, reason: "one by one" });
  process.stdout.write(`${reference}\n`);
}
