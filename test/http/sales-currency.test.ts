import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { salesCommand } from "../../src/commands/sales.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { type FileNode, startFileNode } from "../helpers/file-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

let at: FileNode;
beforeAll(async () => {
  at = await startFileNode();
});
afterAll(() => at.stop());

async function buy(): Promise<void> {
  const signature = await createPaymentPayload(await fetch(`${at.url}/one`), newPayer());
  expect((await fetch(`${at.url}/one`, { headers: { "PAYMENT-SIGNATURE": signature } })).status).toBe(200);
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** As the plugin of a central bank keeps it. */
function keepRate(date: string, rate: string): void {
  const db = new Database(join(at.data, "kept.db"));
  db.run(`CREATE TABLE IF NOT EXISTS "brazil/official-rates" (currency TEXT NOT NULL, kind TEXT NOT NULL,
    date TEXT NOT NULL, rate TEXT NOT NULL, is_usd_per_unit INTEGER NOT NULL, source TEXT NOT NULL,
    simulated INTEGER NOT NULL, PRIMARY KEY (currency, kind, date))`);
  db.query(`INSERT INTO "brazil/official-rates" VALUES ('BRL', 'buy', ?, ?, 0, 'PTAX, buy', 0)`).run(date, rate);
  db.close();
}

async function run(more: {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly by?: string;
  readonly currency: string;
}) {
  const [lines, warnings]: [string[], string[]] = [[], []];
  const spies = [
    spyOn(console, "log").mockImplementation((text: unknown) => void lines.push(String(text))),
    spyOn(console, "error").mockImplementation((text: unknown) => void warnings.push(String(text))),
  ];
  const period = { from: "2020-01-01", to: "2100-01-01", method: "received", data: at.data, config: "" };
  try {
    const code = await salesCommand({ ...period, csv: false, json: false, ...more });
    return { lines, warnings, code };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

test("each row has its day's official rate and what it makes; without one, empty cells and a word", async () => {
  const day = dayOf(at.clock.now());
  await buy();
  keepRate(day, "5.3366");
  const { lines, warnings, code } = await run({ csv: true, currency: "BRL" });
  expect([warnings, code]).toEqual([[], 0]);
  expect(lines[0]).toEndWith(
    ",method,authorized_atomic,currency,rate,rate_date,rate_source,amount_brl,received_brl,given_back_brl",
  );
  expect(lines[1]).toEndWith(`,received,,BRL,5.3366,${day},"PTAX, buy",0.053366,0.053366,0.00`);
  const euro = await run({ csv: true, currency: "EUR" });
  expect(euro.warnings).toEqual(["warning: 1 row has no official rate of EUR for the day: left empty"]);
  expect(euro.lines[1]).toEndWith(",received,,EUR,,,,,,");
  for (const [currency, expected] of [
    ["BRL", ["5.3366", "0.053366"]],
    ["EUR", [null, null]],
  ] as const) {
    const { sales } = JSON.parse((await run({ json: true, currency })).lines.join("")) as {
      sales: readonly Record<string, string | null>[];
    };
    const sums = sales.map((sale) => [sale.rate, sale[`received_${currency.toLowerCase()}`]]);
    expect(sums).toEqual([[...expected]]);
  }
});

test("what cannot be converted is refused in words", async () => {
  for (const [more, said] of [
    [{ csv: true, currency: "REAIS" }, "a currency such as BRL or EUR"],
    [{ currency: "BRL" }, "--currency goes with --csv or --json"],
    [{ csv: true, by: "day", currency: "BRL" }, "not with --by"],
  ] as const) {
    const { warnings, code } = await run(more);
    expect([warnings.join("").includes(said), code]).toEqual([true, 2]);
  }
});
