import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderReportCSV, renderReportJSON, renderReportText } from "../../src/commands/render-report.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { reportLedger } from "../../src/ledger/sqlite/report.ts";
import { addChannels } from "../helpers/sample-channels.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const folder = mkdtempSync(join(tmpdir(), "report-channels-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a report says what channels earned, claimed and swept in its days, and what is still their payers'", async () => {
  const file = join(folder, "ledger.db");
  const clock = createStillClock(Date.parse("2026-11-18T12:00:00Z"));
  const books = openLedger({ file, clock });
  await addChannels(books);
  await books.close();
  const reportOf = (from: string, until: string) => {
    const db = openLedgerFile(file, { readonly: true });
    const report = reportLedger(db, { from_ms: Date.parse(from), until_ms: Date.parse(until) });
    db.close();
    return report;
  };
  const report = reportOf("2026-11-18", "2026-11-19");
  const amounts = Object.fromEntries(report.channels.map(({ move, count, amount }) => [move, [count, amount]]));
  expect(amounts).toEqual({
    deposited: [1, 1_000n],
    earned: [2, 20n],
    claimed: [1, 10n],
    swept: [1, 4n],
    owed: [1, 980n],
  });
  expect(renderReportCSV(report)).toContain("channel_swept,,,eip155:84532,,1,4,0.000004\n");
  const { channels } = JSON.parse(renderReportJSON(report));
  expect(channels).toContainEqual({
    network: "eip155:84532",
    move: "claimed",
    count: 1,
    amount_atomic: "10",
    amount_usd: "0.00001",
  });
  expect(renderReportText(report)).toMatch(/payment channels[\s\S]*eip155:84532 {2}owed to payers +1 +0\.00098/);
  const later = reportOf("2026-11-19", "2026-11-20");
  expect(later.channels.map(({ move, amount }) => [move, amount])).toEqual([["owed", 980n]]);
  expect(renderReportText(reportOf("2026-11-16", "2026-11-17"))).not.toMatch(/^payment channels/m);
});
