import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convert, isCurrency, openConversion } from "./convert-sales.ts";

const folder = mkdtempSync(join(tmpdir(), "convert-sales-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const db = new Database(join(folder, "kept.db"));
for (const name of ["fx/official-rates", "brazil/official-rates"]) {
  db.run(`CREATE TABLE "${name}" (currency TEXT, kind TEXT, date TEXT, rate TEXT, is_usd_per_unit INTEGER, source TEXT,
    simulated INTEGER, PRIMARY KEY (currency, kind, date))`);
}
const insert = db.query(`INSERT INTO "fx/official-rates" VALUES (?, ?, ?, ?, ?, ?, ?)`);
insert.run("EUR", "reference", "2026-11-20", "1.1525", 1, "ECB reference rate", 0);
insert.run("EUR", "reference", "2026-11-23", "1.1531", 1, "ECB reference rate", 1);
insert.run("EUR", "reference", "2026-11-24", "NaN", 1, "ECB reference rate", 0);
const brl = db.query(`INSERT INTO "brazil/official-rates" VALUES (?, ?, ?, ?, ?, ?, ?)`);
brl.run("BRL", "sell", "2026-11-20", "5.3372", 0, "PTAX, sell", 0);
brl.run("BRL", "buy", "2026-11-20", "5.3366", 0, "PTAX, buy", 0);
db.close();

const PERIOD = { from_ms: Date.UTC(2026, 10, 21), until_ms: Date.UTC(2026, 11, 21) };
const open = (text: string) => openConversion(text, folder, PERIOD);
const rateOf = (rate: string, is_usd_per_unit: boolean) => {
  const source = { kind: "reference", date: "2026-11-20", source: "x" };
  return { ...source, rate, is_usd_per_unit };
};

describe("an amount in a second currency", () => {
  test.each([
    [10_000n, "5.3366", false, 53_366n],
    [1n, "5.3366", false, 5n],
    [1_000_000n, "1.1525", true, 867_679n],
    [-1_000_000n, "1.1525", true, -867_679n],
    [0n, "5.3366", false, 0n],
    [123_456_789_012_345_678n, "5.3366", false, 658_839_500_243_283_945n],
    [3n, "0.5", false, 2n],
  ])("%p by %s is exact to a millionth", (amount, rate, is_usd_per_unit, expected) => {
    expect(convert(amount, rateOf(rate, is_usd_per_unit))).toBe(expected);
  });
});

describe("the rate of a day", () => {
  test("is the day's, or the last earlier one on a weekend, on a holiday and before publication", () => {
    const { rateOn } = open("EUR") ?? { rateOn: () => null };
    expect(["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24"].map((day) => rateOn(day)?.date)).toEqual([
      ...["2026-11-20", "2026-11-20", "2026-11-23", "2026-11-23"],
    ]);
    expect(rateOn("2026-11-23")?.source).toBe("ECB reference rate (simulated)");
  });

  test("is missing if nothing was published for a week, or the node keeps no rates", () => {
    expect(open("EUR")?.rateOn("2026-11-30")?.date).toBe("2026-11-23");
    expect(open("EUR")?.rateOn("2026-12-01")).toBeNull();
    expect(open("CHF")?.rateOn("2026-11-23")).toBeNull();
    expect(openConversion("EUR", join(folder, "nowhere"), PERIOD)?.rateOn("2026-11-23")).toBeNull();
  });

  test("is the central bank's buying rate, unless the other one is requested", () => {
    expect(["BRL", "brl", "BRL:sell", "BRL:buy"].map((text) => open(text)?.rateOn("2026-11-21")?.rate)).toEqual([
      ...["5.3366", "5.3366", "5.3372", "5.3366"],
    ]);
  });
});

test("a text that names no currency is refused", () => {
  expect(["BRL", "eur:reference", "R$", "BRL:mid", "EURO", ""].map(isCurrency)).toEqual([
    ...[true, true, false, false, false, false],
  ]);
});
