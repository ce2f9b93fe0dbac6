import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "../../src/telemetry/log.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** The page states bytes a call; a node may write less, and not much less: else the page is old. */
const PAGE = readFileSync(join(import.meta.dir, "../../docs/operator/growth.md"), "utf8");
const LEAST_SHARE = 0.6;
const CALLS = 200;
const PAYMENTS = 60;

let at: MoneyNode;
const lines: string[] = [];
beforeAll(async () => {
  const write = (text: string) => void lines.push(text);
  at = await startMoneyNode("", undefined, { log: createLog({ level: "info", format: "json", secrets: [], write }) });
});
afterAll(() => at.stop());

const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const headers = { authorization: `Bearer ${at.node.operator_token}`, "content-type": "application/json" };
  const answer = await fetch(`${at.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
};

/** Bytes in use in the pages of the books, as if nothing of a page were left free. */
function readBytes(): number {
  const db = new Database(join(at.data, "ledger.db"), { readonly: true });
  try {
    const { bytes } = db.query("SELECT sum(pgsize - unused) AS bytes FROM dbstat").get() as { bytes: number };
    return bytes;
  } finally {
    db.close();
  }
}

async function payOnChain(): Promise<number> {
  const signature = await createPaymentPayload(await fetch(`${at.url}/one`), newPayer());
  const answer = await fetch(`${at.url}/one`, { headers: { "PAYMENT-SIGNATURE": signature } });
  return (await answer.arrayBuffer()).byteLength;
}

/** What a row of the page states: books, kept answer beyond the answer itself, log. Bytes. */
function readStated(access: string): { readonly books: number; readonly kept: number; readonly log: number } {
  const row = PAGE.split("\n").find((line) => line.startsWith(`| ${access} |`)) ?? "";
  const [books = 0, kept = 0, log = 0] = row
    .split("|")
    .slice(2, 5)
    .map((cell) => Number(cell.replace(",", "")));
  return { books, kept, log };
}

/** Makes calls, lets their answers run out, and says what each of them took. Bytes. */
async function measure(calls: number, callOnce: () => Promise<number>) {
  const lines_before = lines.length;
  const before = readBytes();
  let answers = 0;
  for (let i = 0; i < calls; i += 1) answers += await callOnce();
  const log = lines.slice(lines_before).reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  const filled = readBytes();
  at.clock.advance(2 * 86_400_000);
  expect(await ask("/admin/api/run-job", { job: "ledger-retention" })).toMatchObject({
    failures: 0,
    runs: expect.any(Number),
  });
  const books = readBytes();
  return { books: (books - before) / calls, kept: (filled - books - answers) / calls, log: log / calls };
}

test("a call takes no more room than the operator's page states, and not much less", async () => {
  const { api_key } = await ask("/admin/keys", { command: "issue", credit_usd: "10" });
  const callByKey = async () => {
    const answer = await fetch(`${at.url}/one`, { headers: { "x-api-key": String(api_key) } });
    expect(answer.status).toBe(200);
    return (await answer.arrayBuffer()).byteLength;
  };
  for (const [access, measured] of [
    // Payments first: buyers sign by the system's clock.
    ["single payment", await measure(PAYMENTS, payOnChain)],
    ["call by key", await measure(CALLS, callByKey)],
  ] as const) {
    const stated = readStated(access);
    for (const part of ["books", "kept", "log"] as const) {
      const share = measured[part] / stated[part];
      const said = `${access}: ${part} ${Math.round(measured[part])} of ${stated[part]} B`;
      expect([said, share > LEAST_SHARE && share <= 1]).toEqual([said, true]);
    }
  }
});
