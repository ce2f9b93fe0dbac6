import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { createProgram } from "../../src/commands/program.ts";
import { readPeriod } from "../../src/core/named-period.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { reportLedger } from "../../src/ledger/sqlite/report.ts";
import { newLedgerFolder, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import { SHOP_MONEY, sellOfEverything } from "../helpers/year-ledger.ts";

/** A stopped node's folder: sold on 2026-11-18 and on the day after. */
let folder: string;
beforeAll(async () => {
  folder = newLedgerFolder();
  const clock = createStillClock(Date.parse("2026-11-18T10:00:00Z"));
  const ledger = openLedger({ file: join(folder, "ledger.db"), clock });
  await sellOfEverything(ledger, clock);
  await ledger.close();
});
afterAll(removeLedgerFolders);

async function run(...words: readonly string[]): Promise<{ readonly lines: readonly string[]; readonly code: number }> {
  const printed: string[] = [];
  let code = -1;
  const spies = (["log", "error"] as const).map((method) =>
    spyOn(console, method).mockImplementation((text: unknown) => void printed.push(String(text))),
  );
  try {
    const program = createProgram((done) => {
      code = done;
    });
    await program.parseAsync([...words, "--data", folder], { from: "user" });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { lines: printed.flatMap((text) => text.split("\n")), code };
}

describe("a period is named", () => {
  const NOW = Date.parse("2026-11-29T23:59:59Z");
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
  test.each([
    ["today", { today: true }, "2026-11-29", "2026-11-30"],
    ["this week, which began on Monday", { week: true }, "2026-11-23", "2026-11-30"],
    ["a month", { month: "2026-02" }, "2026-02-01", "2026-03-01"],
    ["the last month of a year", { month: "2026-12" }, "2026-12-01", "2027-01-01"],
    ["a year", { year: "2028" }, "2028-01-01", "2029-01-01"],
    ["two days, both part of it", { from: "2026-02-28", to: "2026-03-01" }, "2026-02-28", "2026-03-02"],
  ])("%s", (_, options, from, until) => {
    expect(readPeriod(options, NOW)).toEqual({ from_ms: day(from), until_ms: day(until) });
  });
  test("on a Monday and on a Sunday alike", () => {
    for (const now of ["2026-11-23T00:00:00Z", "2026-11-29T23:59:59Z"]) {
      expect(readPeriod({ week: true }, Date.parse(now))?.from_ms).toBe(day("2026-11-23"));
    }
  });
  test.each([
    ["none", {}],
    ["two", { today: true, month: "2026-11" }],
    ["no month", { month: "2026-13" }],
    ["a day for a month", { month: "2026-11-01" }],
    ["no year", { year: "26" }],
    ["no day", { from: "2026-02-30", to: "2026-03-01" }],
    ["half a period", { from: "2026-02-28" }],
    ["days in a wrong order", { from: "2026-03-01", to: "2026-02-28" }],
  ])("never as %s", (_, options) => {
    expect(readPeriod(options, NOW)).toBeNull();
  });
});

describe("sales", () => {
  test("of a month have the sums of each product, network and payer, and what never landed beside them", async () => {
    const by = async (what: string) => {
      const { lines, code } = await run("sales", "--month", "2026-11", "--by", what, "--json");
      expect(code).toBe(0);
      return JSON.parse(lines[0] ?? "");
    };
    const products = await by("product");
    expect(products.sums.map(({ name }: { name: string }) => name)).toEqual([
      ...["day", "buy-credits", "half", "gas", "fear-greed", "whale-alerts"],
    ]);
    expect(products.sums[1]).toEqual({
      name: "buy-credits",
      settled: { count: 2, amount_atomic: "2000000", amount_usd: "2.00" },
      never_landed: { count: 1, amount_atomic: "1000000", amount_usd: "1.00" },
      received: { count: 1, amount_atomic: "1000000", amount_usd: "1.00" },
      given_back: { count: 0, amount_atomic: "0", amount_usd: "0.00" },
      called: { count: 0, amount_atomic: "0", amount_usd: "0.00" },
    });
    for (const what of ["product", "network", "payer", "access", "label", "day"]) {
      const { sums, total } = await by(what);
      expect([what, total.received.amount_atomic]).toEqual([what, String(SHOP_MONEY.received.amount)]);
      const added = sums.reduce((sum: bigint, one: typeof total) => sum + BigInt(one.settled.amount_atomic), 0n);
      expect([what, added]).toEqual([what, SHOP_MONEY.settled.amount]);
    }
    expect((await by("day")).sums.map(({ name }: { name: string }) => name)).toEqual(["2026-11-18"]);
  });

  test("end with the sums of the period, as text", async () => {
    const { lines } = await run("sales", "--year", "2026");
    expect(lines.at(-1)).toBe("7 sales, 7.525 USD settled, 1.01 USD of it never landed, 6.515 USD received");
    const grouped = await run("sales", "--month", "2026-11", "--by", "network");
    expect(grouped.lines[1]).toMatch(/^eip155:84532 +7 +7\.525 +1\.01 +6\.515 +0\.00$/);
    expect((await run("sales", "--month", "2026-10")).lines).toEqual(["0 sales, 0.00 USD settled, 0.00 USD received"]);
  });

  test("as a table name their accounting method", async () => {
    const received = await run("sales", "--month", "2026-11", "--csv");
    expect(received.lines[0]).toBe(
      "settled_at,product,amount_usd,payer,network,transaction,receipt_id,label,on_chain,amount_atomic," +
        "received_usd,received_atomic,given_back_usd,given_back_atomic,method,authorized_atomic",
    );
    const cells = received.lines.slice(1).map((line) => line.split(","));
    expect(new Set(cells.map((row) => row.at(-2)))).toEqual(new Set(["received"]));
    expect(cells.reduce((sum, row) => sum + BigInt(row.at(-5) ?? ""), 0n)).toBe(SHOP_MONEY.received.amount);

    const earned = await run("sales", "--month", "2026-11", "--method", "earned", "--csv");
    expect(earned.lines[0]).toBe("access,product,network,count,amount_usd,amount_atomic,method");
    const rows = earned.lines.slice(1).map((line) => line.split(","));
    expect(new Set(rows.map((row) => row.at(-1)))).toEqual(new Set(["earned"]));
    expect(rows.reduce((sum, row) => sum + BigInt(row.at(-2) ?? ""), 0n)).toBe(SHOP_MONEY.earned);
    expect(rows).toContainEqual(["prepaid", "", "", "1", "0.405", "405000", "earned"]);
  });

  test("that were earned add up by product and by network to what the books say", async () => {
    const db = openLedgerFile(join(folder, "ledger.db"), { readonly: true });
    const { earned, money } = reportLedger(db, { from_ms: 0, until_ms: 4_000_000_000_000 });
    db.close();
    expect(earned.reduce((sum, { amount }) => sum + amount, 0n)).toBe(money.earned);
    for (const by of ["product", "network", "access"]) {
      const { lines } = await run("sales", "--year", "2026", "--method", "earned", "--by", by, "--json");
      const { sums, total } = JSON.parse(lines[0] ?? "");
      expect([by, total.amount_atomic]).toEqual([by, String(SHOP_MONEY.earned)]);
      const added = sums.reduce((sum: bigint, one: { amount_atomic: string }) => sum + BigInt(one.amount_atomic), 0n);
      expect([by, added]).toEqual([by, SHOP_MONEY.earned]);
    }
  });

  test("refuse sums that the books do not have, and invalid periods, with a clear message", async () => {
    for (const [words, said] of [
      [["--by", "moon"], "--by is one of product, network, payer, access, label, door, day"],
      [["--method", "earned", "--by", "payer"], "what is earned has no payer"],
      [["--method", "cash"], "--method is received or earned"],
    ] as const) {
      const { lines, code } = await run("sales", "--today", ...words);
      expect([lines.join(" ").includes(said), code]).toEqual([true, 2]);
    }
    for (const words of [[], ["--today", "--week"], ["--month", "2026-1"]]) {
      const { lines, code } = await run("sales", ...words);
      expect([lines[0]?.startsWith("name one period: --today"), code]).toEqual([true, 2]);
    }
  });

  test("a report is of the same periods", async () => {
    const { lines, code } = await run("ledger", "report", "--month", "2026-11", "--json");
    expect([code, JSON.parse(lines[0] ?? "").money.sold.amount_atomic]).toEqual([0, String(SHOP_MONEY.sold)]);
    expect((await run("ledger", "report")).code).toBe(2);
  });
});
