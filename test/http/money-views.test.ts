import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import type { MoneyAnswer, OverviewAnswer, SumsAnswer } from "../../src/admin/answers.ts";
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

test("sums of a period say the same, in the API and on the page", async () => {
  const ask = async (query: string) => (await at.ask(`/admin/api/sales-sums?${query}`)).json() as Promise<SumsAnswer>;
  const { settled, never_landed, received } = WANTED;
  for (const by of ["product", "network", "payer", "access", "label", "day", "door"]) {
    const { total } = await ask(new URLSearchParams({ from: "2020-01-01", to: "2100-01-01", by }).toString());
    const given_back = { count: 0, amount_atomic: "0", amount_usd: "0.00" };
    // Five debits, one of which was given back; calls have no network, payer, access or label of a payment.
    const called = { count: 5, amount_atomic: "10000", amount_usd: "0.01" };
    const has_calls = ["product", "day", "door"].includes(by);
    const wanted = { name: "total", settled, never_landed, received, given_back, ...(has_calls ? { called } : {}) };
    expect([by, total]).toEqual([by, wanted as typeof total]);
  }
  expect((await ask("month=2020-01")).sums).toEqual([]);
  expect((await ask("period=today")).from.slice(0, 10)).toBe(new Date(at.clock.now()).toISOString().slice(0, 10));
  for (const wrong of ["by=moon", "period=today&month=2026-10", "from=2026-10-01", "month=2026-13"]) {
    expect([wrong, (await at.ask(`/admin/api/sales-sums?${wrong}`)).status]).toEqual([wrong, 422]);
  }
  const login = await fetch(`${at.url}/admin/login`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ token: at.node.operator_token }),
  });
  const headers = { cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" };
  const page = await (await fetch(`${at.url}/admin/sales?period=year&by=product`, { headers })).text();
  expect(page).toContain("Sums by product");
  expect(page).toContain(">year</strong>");
  const csv = (await (await fetch(`${at.url}/admin/sales.csv`, { headers })).text()).trim().split("\r\n");
  const cells = csv.slice(1).map((line) => line.split(","));
  expect(cells.reduce((sum, row) => sum + BigInt(row.at(-5) ?? "0"), 0n)).toBe(SHOP_MONEY.received.amount);
  expect(csv[0]?.endsWith(",received_atomic,given_back_usd,given_back_atomic,method,authorized_atomic")).toBe(true);
});
