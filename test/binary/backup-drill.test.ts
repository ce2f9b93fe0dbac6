import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { auditOf } from "../helpers/demo-books.ts";
import { BINARY, cleanUp, type DemoNode, newFolder, newPayer, startDemo } from "../helpers/demo-node.ts";
import { repeat } from "../helpers/effort.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

afterAll(cleanUp);

const ROUNDS = Number(process.env.TEST_ROUNDS ?? repeat({ quick: 5, full: 20, long: 500 }));
const START_EVERY = Math.ceil(ROUNDS / 4);
const PATH = "/pyth-price";
const CALLERS = 4;

interface Sale {
  readonly header: string;
  readonly body: string;
  readonly receipt_id: string;
}

/** Buyers and key holders who call until they are told to stop. What they note was acknowledged to them. */
function startLoad(node: DemoNode, key: string) {
  const sales: Sale[] = [];
  const calls: string[] = [];
  let stopped = false;
  const buy = async () => {
    const challenge = await node.get(PATH);
    const { headers } = challenge;
    await challenge.text();
    while (!stopped) {
      const header = await createPaymentPayload(new Response("", { status: 402, headers }), newPayer());
      const response = await node.get(PATH, { "PAYMENT-SIGNATURE": header });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`a buyer got ${response.status}: ${body}`);
      sales.push({ header, body, receipt_id: response.headers.get("X-Receipt-Id") ?? "" });
    }
  };
  const call = async () => {
    while (!stopped) {
      const response = await node.get(PATH, { "X-API-Key": key });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`a key holder got ${response.status}: ${body}`);
      calls.push((response.headers.get("X-Receipt-Id") ?? "").replace("call_", ""));
    }
  };
  const all = Promise.all([buy(), ...Array.from({ length: CALLERS }, call)]);
  const failure: { error: unknown } = { error: null };
  all.catch((error: unknown) => {
    failure.error = error;
  });
  return {
    sales,
    calls,
    assertRunning() {
      if (failure.error !== null) throw failure.error;
    },
    async stop() {
      stopped = true;
      await all;
    },
  };
}

async function issueKey(node: DemoNode): Promise<string> {
  const response = await fetch(`${node.url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${node.operator_token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: "issue", credit_usd: "100000" }),
  });
  const { api_key } = (await response.json()) as { api_key: string };
  return api_key;
}

const run = async (args: readonly string[]) => {
  const child = Bun.spawn([BINARY, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${err}`);
  return JSON.parse(out);
};

/** Everything acknowledged is in the restored books: no receipt and no call is missing. */
function checkRestored(data: string, sales: readonly Sale[], calls: readonly string[]): void {
  const db = new Database(join(data, "ledger.db"), { readonly: true });
  const receipts = new Set(db.query("SELECT id FROM receipts").values().flat());
  const charged = new Set(db.query("SELECT CAST(id AS TEXT) FROM calls WHERE access = 'debit'").values().flat());
  db.close();
  expect(sales.filter(({ receipt_id }) => !receipts.has(receipt_id))).toEqual([]);
  expect(calls.filter((id) => !charged.has(id))).toEqual([]);
}

/** A node on the restored folder answers an earlier payment from its books, and knows the key. */
async function checkNode(data: string, sale: Sale, key: string): Promise<void> {
  const node = await startDemo({ data });
  const again = await node.get(PATH, { "PAYMENT-SIGNATURE": sale.header });
  expect({ status: again.status, body: await again.text() }).toEqual({ status: 200, body: sale.body });
  expect(again.headers.get("X-Receipt-Id")).toBe(sale.receipt_id);
  expect((await node.get("/credits-status", { "X-API-Key": key })).status).toBe(200);
  expect(await node.stop()).toBe(0);
  expect(auditOf({ data }).code).toBe(0);
}

test(`${ROUNDS} backups of a node under load hold all that was acknowledged before each began`, async () => {
  const node = await startDemo();
  const key = await issueKey(node);
  const load = startLoad(node, key);
  const folder = newFolder();
  for (let round = 1; round <= ROUNDS; round++) {
    const before = { sales: load.sales.length, calls: load.calls.length };
    // Nothing is proved by a backup of a node that rests.
    while (load.sales.length === before.sales || load.calls.length === before.calls) {
      load.assertRunning();
      await Bun.sleep(5);
    }
    const [sales, calls] = [load.sales.slice(), load.calls.slice()];
    const file = join(folder, `backup-${round}.db`);
    const restored = join(folder, `restored-${round}`);
    const made = await run(["backup", "--json", "--data", node.data, "--to", file]);
    const back = await run(["restore", file, "--json", "--data", restored]);
    expect(back.audit).toEqual(made.audit);
    expect(made.audit).toMatchObject({ ok: true, findings: [] });
    expect(made.audit.receipts).toBeGreaterThanOrEqual(sales.length);
    expect(existsSync(`${file}-wal`)).toBe(false);
    checkRestored(restored, sales, calls);
    if (round % START_EVERY === 0) await checkNode(restored, sales.at(-1) as Sale, key);
    rmSync(file);
    rmSync(restored, { recursive: true });
  }
  await load.stop();
  expect(auditOf(node).code).toBe(0);
  expect(await node.stop()).toBe(0);
});
