import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderTime } from "../../src/core/clock.ts";
import { renderUSD } from "../../src/core/money.ts";
import { repeat } from "../helpers/effort.ts";
import { noteSecret } from "../helpers/secrets.ts";
import { START_MS } from "../helpers/still-clock.ts";
import { type LifeReport, risesIn } from "../helpers/watch-life.ts";

/**
 * A real node with many watches, in a process of its own that is killed in the middle of its looks, again and again:
 * each turn is told once with the right value, each look is charged once, and the books add up.
 */
const WATCHES = repeat({ quick: 60, full: 300, long: 10_000 });
const KILLS = repeat({ quick: 3, full: 12, long: 200 });
const HOURS = 24;
const PRICE = 10_000n;
const IDLE = PRICE / 10n;
const MILLION = 1_000_000n;
const PROGRAM = join(import.meta.dir, "..", "helpers", "watch-life.ts");

const folder = mkdtempSync(join(tmpdir(), "watch-kills-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns whether it was killed; it comes to its end otherwise. */
async function live(last_answer: number): Promise<boolean> {
  const counts = [WATCHES, HOURS, last_answer].map(String);
  const child = Bun.spawn([process.execPath, PROGRAM, folder, ...counts], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await child.exited;
  const is_killed = child.signalCode === "SIGKILL";
  if (!is_killed) expect(code).toBe(0);
  return is_killed;
}

test(`${WATCHES} watches live ${HOURS} hours and ${KILLS} kills`, async () => {
  mkdirSync(join(folder, "data"), { mode: 0o700 });
  // Unlike numbers, so that a life ends at any place of an hour; together they stay below all looks there are.
  const most = Math.floor((WATCHES * HOURS) / KILLS);
  for (let kill = 0; kill < KILLS; kill += 1) {
    expect(await live(1 + Math.floor((most - 1) * ((kill * 0.618) % 1)))).toBe(true);
  }
  expect(await live(0)).toBe(false);
  noteSecret(readFileSync(join(folder, "key"), "utf8"));

  const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as LifeReport;
  expect(report.findings).toEqual([]);
  expect(report.watches.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: WATCHES }, (_, number) => number),
  );
  let spent = 0n;
  const receipts = new Set<string>();
  for (const { number, evaluations, spent_usd, told } of report.watches) {
    const turns = Array.from({ length: HOURS }, (_, hour) => hour).filter((hour) => hour > 0 && risesIn(number, hour));
    const expected = turns.map((hour, index) => ({ at: renderTime(START_MS + hour * 3_600_000), level: index + 1 }));
    expect(told.map(({ at, level }) => ({ at, level }))).toEqual(expected);
    for (const { receipt_id } of told) receipts.add(receipt_id);
    const due = BigInt(turns.length) * PRICE + BigInt(HOURS - turns.length) * IDLE;
    expect({ number, evaluations, spent_usd }).toEqual({ number, evaluations: HOURS, spent_usd: renderUSD(due) });
    spent += due;
  }
  expect(receipts.size).toBe(report.watches.reduce((sum, { told }) => sum + told.length, 0));
  expect(report.balance_atomic).toBe(String(BigInt(WATCHES) * MILLION - spent));
});
