import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import type { MoneyAnswer, OverviewAnswer } from "../../src/admin/answers.ts";
import { renderMoney } from "../../src/admin/render-money.ts";
import { createProgram } from "../../src/commands/program.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { type FileNode, startFileNode } from "../helpers/file-node.ts";
import { SHOP_MONEY, sellOfEverything } from "../helpers/year-ledger.ts";

/** A node whose books hold a gift, plans, a paid call, one that never landed, a coupon and a channel. */
let at: FileNode;
beforeAll(async () => {
  at = await startFileNode();
  await at.restart(fillBooks);
});
afterAll(() => at.stop());

async function fillBooks(): Promise<void> {
  const ledger = openLedger({ file: join(at.data, "ledger.db"), clock: at.clock });
  await sellOfEverything(ledger, at.clock);
  // What was not looked for yet is there: a chain of the tests knows none of it.
  for (const { id, on_chain } of await ledger.receipts.list({ limit: 100 })) {
    if (on_chain !== "pending") continue;
    await ledger.landings.note(id, { state: "confirmed", checked_at_ms: at.clock.now(), due_at_ms: null });
  }
  await ledger.close();
}

const WANTED = renderMoney(SHOP_MONEY);

async function run(...words: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const spy = spyOn(console, "log").mockImplementation((text: unknown) => void printed.push(String(text)));
  try {
    await createProgram(() => undefined).parseAsync([...words, "--data", at.data], { from: "user" });
  } finally {
    spy.mockRestore();
  }
  return printed.join("\n");
}
const EVER = ["--from", "2020-01-01", "--to", "2100-01-01"];

test("the report says each figure once, in words, as JSON and as a table", async () => {
  const report = JSON.parse(await run("ledger", "report", ...EVER, "--json")) as { readonly money: MoneyAnswer };
  expect(report.money).toEqual(WANTED);
  const table = (await run("ledger", "report", ...EVER, "--csv")).split("\n").map((line) => line.split(","));
  for (const [name, { amount_atomic, amount_usd, count = 0 }] of Object.entries(WANTED)) {
    expect(table).toContainEqual(["total", "", name, "", "", String(count), amount_atomic, amount_usd]);
  }
  const sumOf = (section: string) =>
    table.filter(([name]) => name === section).reduce((sum, row) => sum + BigInt(row[6] ?? "0"), 0n);
  expect([sumOf("sold"), sumOf("settled"), sumOf("promotion")]).toEqual([
    ...[SHOP_MONEY.sold, SHOP_MONEY.settled.amount, SHOP_MONEY.given],
  ]);
  const text = await run("ledger", "report", ...EVER);
  for (const [name, { amount_usd }] of Object.entries(WANTED)) {
    expect(text).toMatch(new RegExp(`\n  ${name.replaceAll("_", " ")} .* ${amount_usd.replace(".", "\\.")}\n`));
  }
});

test("the operator's page and API say the same", async () => {
  const overview = (await (await at.ask("/admin/api/overview")).json()) as OverviewAnswer;
  expect(overview.money).toEqual(WANTED);
  const { organic, operator_test } = overview.received.days_30;
  expect([organic, operator_test]).toEqual([
    { count: 4, usd: "6.51" },
    { count: 1, usd: "0.005" },
  ]);
  const months = overview.received.by_day.reduce((sum, { usd }) => sum + Math.round(Number(usd) * 1e6), 0);
  expect(months).toBe(6_510_000);
});

test("the figures for Prometheus say the same", async () => {
  const page = await (await at.ask("/metrics")).text();
  for (const [name, { amount_usd }] of Object.entries(WANTED)) {
    const [, value] = new RegExp(`^intel_node_money_usd\\{figure="${name}"\\} (.*)$`, "m").exec(page) ?? [];
    expect([name, Number(value)]).toEqual([name, Number(amount_usd)]);
  }
});
