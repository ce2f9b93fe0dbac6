import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { auditLedger } from "../../src/ledger/sqlite/audit.ts";
import { openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { type FileNode, ownPlugins, startFileNode } from "../helpers/file-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

const DAY_MS = 86_400_000;

let at: FileNode;
beforeAll(async () => {
  at = await startFileNode({ toml: ownPlugins() });
});
afterAll(() => at.stop());

interface Status {
  readonly balance: {
    readonly available_atomic: string;
    readonly lots: readonly { readonly left_atomic: string; readonly until: string | null }[];
  };
}
const command = async <T>(body: object): Promise<T> => (await (await at.ask("/admin/keys", body)).json()) as T;
const issue = async (more: object) => {
  const made = await command<{ readonly api_key: string; readonly key_id: string }>({ command: "issue", ...more });
  noteSecret(made.api_key);
  return made;
};
const lotsOf = async (api_key: string): Promise<readonly (readonly [string, boolean])[]> => {
  const { balance } = (await (
    await fetch(`${at.url}/credits-status`, { headers: { "X-API-Key": api_key } })
  ).json()) as Status;
  expect(balance.lots.reduce((sum, { left_atomic }) => sum + Number(left_atomic), 0)).toBe(
    Number(balance.available_atomic),
  );
  return balance.lots.map(({ left_atomic, until }) => [left_atomic, until !== null]);
};
const call = (api_key: string) => fetch(`${at.url}/one`, { headers: { "X-API-Key": api_key } });

test("what has ended of a balance does not live again with credit that has no end", async () => {
  const { api_key, key_id } = await issue({ credit_usd: "15", duration: "30d" });
  expect((await call(api_key)).status).toBe(200);
  await command({ command: "top-up", key_id, plan: "buy_credits" });
  expect(await lotsOf(api_key)).toEqual([
    ["14990000", true],
    ["1250000", false],
  ]);
  // The earliest end is spent first.
  expect((await call(api_key)).status).toBe(200);
  expect((await lotsOf(api_key))[0]).toEqual(["14980000", true]);
  at.clock.advance(31 * DAY_MS);
  const last = await call(api_key);
  expect([last.status, last.headers.get("x-credits-remaining")]).toEqual([200, "1.24"]);
  expect(await lotsOf(api_key)).toEqual([["1240000", false]]);
  const statement = await fetch(`${at.url}/statement`, { headers: { "X-API-Key": api_key } });
  const { items } = (await statement.json()) as {
    readonly items: readonly { readonly kind: string; readonly change_atomic: string }[];
  };
  expect(items.map(({ kind, change_atomic }) => [kind, change_atomic])).toContainEqual(["expiry", "-14980000"]);
});

test("credit bought after the end is all there is", async () => {
  const { api_key, key_id } = await issue({ credit_usd: "15", duration: "30d" });
  at.clock.advance(31 * DAY_MS);
  expect((await call(api_key)).status).toBe(402);
  await command({ command: "top-up", key_id, plan: "buy_credits" });
  expect(await lotsOf(api_key)).toEqual([["1250000", false]]);
});

test("what nobody asks for any more is booked by the node, and the books are exact", async () => {
  const { key_id } = await issue({ credit_usd: "7", duration: "1d" });
  at.clock.advance(2 * DAY_MS);
  await at.restart();
  const { lots } = await command<{ readonly lots: readonly unknown[] }>({ command: "show", key_id });
  expect(lots).toEqual([]);
  const books = openLedgerFile(join(at.data, "ledger.db"), { readonly: true });
  const { findings, accounts } = auditLedger(books);
  books.close();
  expect(findings).toEqual([]);
  const expired = accounts.find(({ id }) => id === "revenue:expired");
  // 15 less two calls, 15, and 7.
  expect(expired?.posted).toBe(36_980_000n);
});
