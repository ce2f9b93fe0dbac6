import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openLedger } from "../../src/ledger/ledger.ts";
import { createSeller, newLedgerFolder, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";

afterAll(removeLedgerFolders);

const WRITER = join(import.meta.dir, "../helpers/refund-writer.ts");

/** Has a process write refunds, and kills it after so many. @returns the references it said were written. */
async function writeUntilKilled(file: string, receipt_id: string, count: number): Promise<readonly string[]> {
  const child = Bun.spawn([process.execPath, WRITER, file, receipt_id], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const bytes of child.stdout) {
    said += new TextDecoder().decode(bytes);
    if (said.split("\n").length > count) child.kill("SIGKILL");
  }
  await child.exited;
  return said.split("\n").slice(0, -1);
}

test("an acknowledged refund survives kill -9, and one that was cut off is written by running it again", async () => {
  const file = join(newLedgerFolder(), "ledger.db");
  const clock = createStillClock();
  const first = openLedger({ file, clock });
  const { sell } = createSeller(first, clock.now);
  const receipt_id = (await first.payments.get(await sell({ amount: 1_000_000n })))?.receipt_id ?? "";
  await first.close();
  const said = await writeUntilKilled(file, receipt_id, 20);
  expect(said.length).toBeGreaterThanOrEqual(20);

  const ledger = openLedger({ file, clock });
  const written = (await ledger.refunds.refundsOf(receipt_id)).map(({ reference }) => reference).reverse();
  expect(written.slice(0, said.length)).toEqual([...said]);
  expect((await ledger.money.toDate()).given_back).toBe(BigInt(written.length));
  for (const reference of [...said, `0x${said.length}`]) {
    const is_new = await ledger.refunds.giveBack({ receipt_id, amount: 1n, reference, reason: "again" });
    expect([reference, is_new]).toEqual([reference, !written.includes(reference)]);
  }
  // What was written and could not be said any more is there once, too.
  const all = new Set([...written, ...said, `0x${said.length}`]);
  expect((await ledger.money.toDate()).given_back).toBe(BigInt(all.size));
  expect((await ledger.audit()).findings).toEqual([]);
  await ledger.close();
});
