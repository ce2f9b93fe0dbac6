import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { renderReportCSV, renderReportJSON, renderReportText } from "../../src/commands/render-report.ts";
import type { LedgerReport, Sum } from "../../src/ledger/report.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { reportLedger } from "../../src/ledger/sqlite/report.ts";
import { makeSampleLedger, removeLedgerFolders, type Sample } from "../helpers/sample-ledger.ts";

let sample: Sample;
beforeAll(async () => {
  sample = await makeSampleLedger();
});
afterAll(removeLedgerFolders);

const DAY_MS = 86_400_000;
const dayOf = (n: number) => Date.parse("2026-11-18T00:00:00Z") + n * DAY_MS;
const reportOf = (from_ms: number, until_ms: number): LedgerReport => {
  const db = openLedgerFile(sample.file, { readonly: true });
  const report = reportLedger(db, { from_ms, until_ms });
  db.close();
  return report;
};

interface Transfer {
  id: bigint;
  kind: string;
  reference: string;
  source: string;
  target: string;
  amount: bigint;
}
type Row = Record<string, string | bigint | null>;

/** The same report, from the raw rows, one transfer after the other. */
function recount(from_ms: number, until_ms: number) {
  const db = new Database(sample.file, { readonly: true, safeIntegers: true });
  const all = <T>(table: string) => db.query(`SELECT * FROM ${table} ORDER BY 1`).all() as T[];
  const transfers = all<Transfer>("transfers");
  const receipts = all<Row>("receipts");
  const [keys, grants, calls] = [all<Row>("keys"), all<Row>("grants"), all<Row>("calls")];
  db.close();
  const at = (id: bigint) => Number(id) / 1000;
  const labelOf = (account: string): string => {
    const key = keys.find((one) => one.account === account);
    const paid = grants
      .filter((one) => one.key_id === key?.id && at(one.at as bigint) < until_ms)
      .flatMap((one) => receipts.filter((receipt) => receipt.payment_id === one.payment_id));
    if (paid.length === 0) return "given";
    return paid.some((receipt) => receipt.label === "organic") ? "organic" : "operator-test";
  };
  const sums: Record<"revenue" | "received" | "promotion", Map<string, { count: number; amount: bigint }>> = {
    revenue: new Map(),
    received: new Map(),
    promotion: new Map(),
  };
  const add = (part: keyof typeof sums, name: readonly unknown[], amount: bigint) => {
    const key = name.join("|");
    const sum = sums[part].get(key) ?? { count: 0, amount: 0n };
    sums[part].set(key, { count: sum.count + 1, amount: sum.amount + amount });
  };
  const balances = new Map<string, bigint>();
  for (const { id, kind, reference, source, target, amount } of transfers) {
    if (at(id) >= until_ms) continue;
    balances.set(source, (balances.get(source) ?? 0n) - amount);
    balances.set(target, (balances.get(target) ?? 0n) + amount);
    if (at(id) < from_ms) continue;
    const receipt = receipts.find((one) => one.payment_id === reference);
    const call = calls.find((one) => one.id === id || `call:${one.id}` === reference);
    const bought = [receipt?.product, kind === "sale" ? "payment" : "plan", receipt?.network, receipt?.label];
    if (source.startsWith("chain:")) add("received", bought, amount);
    if (source.startsWith("promotion:")) add("promotion", [source], amount);
    if (target === "revenue:sales" || target === "revenue:plans") add("revenue", bought, amount);
    if (kind === "debit") add("revenue", [reference, "debit", null, labelOf(source)], amount);
    if (kind === "coupon") add("revenue", [call?.product, "coupon", null, "given"], amount);
    if (kind === "refund") add("revenue", [call?.product, "refund", null, labelOf(target)], -amount);
    if (kind === "expiry") add("revenue", [null, "expiry", null, labelOf(source)], amount);
  }
  const credits = [...balances].filter(([id, amount]) => id.startsWith("credit:") && amount !== 0n);
  const liability = { count: credits.length, amount: credits.reduce((sum, [, amount]) => sum + amount, 0n) };
  return { sums, balances, liability };
}

const toMap = (rows: readonly Sum[], name: (row: never) => readonly unknown[]) =>
  new Map(rows.map(({ count, amount, ...row }) => [name(row as never).join("|"), { count, amount }]));
const total = (rows: readonly Sum[]) => rows.reduce((sum, { amount }) => sum + amount, 0n);
type Named = { product: unknown; access: unknown; network: unknown; label: unknown };
const moneyName = ({ product, access, network, label }: Named) => [product, access, network, label];

describe("a report", () => {
  test.each([
    ["of one day", 0, 1],
    ["of a day in the middle", 1, 2],
    ["of the last day", 2, 3],
    ["of all days", 0, 3],
    ["of the time before", -3, 0],
    ["of the time after", 3, 9],
  ])("%s is what the raw rows add up to", (_, first, end) => {
    const [from_ms, until_ms] = [dayOf(first), dayOf(end)];
    const report = reportOf(from_ms, until_ms);
    const { sums, balances, liability } = recount(from_ms, until_ms);
    expect(toMap(report.revenue, moneyName)).toEqual(sums.revenue);
    expect(toMap(report.received, moneyName)).toEqual(sums.received);
    expect(toMap(report.promotion, ({ account }: { account: string }) => [account])).toEqual(sums.promotion);
    expect(report.liability).toEqual(liability);
    for (const { network, booked, difference, receipts, landings } of report.networks) {
      expect(-booked).toBe(balances.get(`chain:${network}`) ?? 0n);
      expect(difference).toBe(0n);
      expect(total(Object.values(landings))).toBe(receipts.amount);
    }
  });

  test("holds every cent once: earned and owed is received and given away", () => {
    const { revenue, received, promotion, liability } = reportOf(dayOf(0), dayOf(3));
    expect(total(revenue) + liability.amount).toBe(total(received) + total(promotion));
    expect(new Set(revenue.map(({ access }) => access))).toEqual(
      new Set(["coupon", "debit", "expiry", "payment", "plan", "refund"]),
    );
    expect(new Set(revenue.map(({ label }) => label))).toEqual(new Set(["given", "operator-test", "organic"]));
  });

  test("of its days adds up to that of the whole period", () => {
    const days = [0, 1, 2].map((n) => reportOf(dayOf(n), dayOf(n + 1)));
    const whole = reportOf(dayOf(0), dayOf(3));
    for (const part of ["revenue", "received", "promotion"] as const) {
      expect(days.reduce((sum, day) => sum + total(day[part]), 0n)).toBe(total(whole[part]));
    }
    expect(days.at(-1)?.liability).toEqual(whole.liability);
  });

  test("names what is open: unknown settlements, and receipts that never landed", () => {
    const { unknown, networks } = reportOf(dayOf(0), dayOf(3));
    expect(unknown.map(({ count, amount }) => [count, amount])).toEqual([
      [1, 10_000n],
      [1, 70_000n],
    ]);
    expect(networks.reduce((sum, { landings }) => sum + landings.missing.count, 0)).toBe(1);
    expect(networks.reduce((sum, { landings }) => sum + landings.pending.count, 0)).toBe(1);
    expect(reportOf(dayOf(0), dayOf(1)).unknown).toEqual([]);
  });

  test("shows a correction as itself, and as a difference to the receipts", () => {
    const file = `${sample.folder}/corrected.db`;
    const db = openLedgerFile(sample.file);
    db.query("VACUUM INTO ?").run(file);
    db.close();
    const corrected = openLedgerFile(file);
    corrected.run(
      `INSERT INTO transfers (id, kind, reference, source, target, amount)
       SELECT max(id) + 1, 'correction', 'a reason', 'revenue:sales', 'chain:eip155:84532', 500 FROM transfers`,
    );
    const report = reportLedger(corrected, { from_ms: dayOf(0), until_ms: dayOf(3) });
    corrected.close();
    expect(report.revenue).toContainEqual({
      product: null,
      access: "correction",
      network: null,
      label: null,
      count: 1,
      amount: -500n,
    });
    expect(report.networks.map(({ difference }) => difference)).toEqual([-500n, 0n]);
  });
});

describe("a report is written", () => {
  const parse = (csv: string) =>
    csv
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));

  test("as CSV with one header, exact integers and the same USD", () => {
    const report = reportOf(dayOf(0), dayOf(3));
    const [header, ...rows] = parse(renderReportCSV(report));
    expect(header).toEqual("section,product,access,network,label,count,amount_atomic,amount_usd".split(","));
    expect(rows.every((row) => row.length === 8)).toBe(true);
    const sum = (section: string) =>
      rows.filter(([name]) => name === section).reduce((all, row) => all + BigInt(row[6] ?? ""), 0n);
    expect(sum("sold") + sum("other_revenue")).toBe(total(report.revenue));
    expect(sum("sold")).toBe(report.money.sold);
    expect(sum("settled")).toBe(report.money.settled.amount);
    expect(sum("settled")).toBe(total(report.received));
    expect(sum("liability")).toBe(report.liability.amount);
    expect(sum("unknown")).toBe(80_000n);
    for (const row of rows) {
      const [whole = "", part = ""] = (row[7] ?? "").replace("-", "").split(".");
      const atomic = BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0"));
      expect(row[7]?.startsWith("-") ? -atomic : atomic).toBe(BigInt(row[6] ?? ""));
    }
  });

  test("as CSV whose fields cannot break out of their column", () => {
    const nasty = 'a,"b"\nc';
    const row = { product: nasty, access: "debit", network: null, label: null, count: 1, amount: 1n } as const;
    const csv = renderReportCSV({ ...reportOf(dayOf(5), dayOf(6)), revenue: [row], networks: [] });
    expect(csv).toContain('sold,"a,""b""\\u000ac",debit,,,1,1,0.000001\n');
  });

  test("as JSON with totals, and as text with the same total", () => {
    const report = reportOf(dayOf(0), dayOf(3));
    const json = JSON.parse(renderReportJSON(report));
    expect(json.from).toBe("2026-11-18T00:00:00Z");
    expect(json.until).toBe("2026-11-21T00:00:00Z");
    expect(json.sold.total.amount_atomic).toBe(String(report.money.sold));
    expect(json.money.sold.amount_atomic).toBe(String(report.money.sold));
    expect([...json.sold.rows, ...json.other_revenue.rows]).toHaveLength(report.revenue.length);
    expect(json.liability).toEqual({ count: 3, amount_atomic: "3800000", amount_usd: "3.80" });
    expect(renderReportText(report)).toContain(json.sold.total.amount_usd);
    expect(renderReportText(reportOf(dayOf(-2), dayOf(-1)))).toContain("sold, whoever paid for it: none");
  });
});
