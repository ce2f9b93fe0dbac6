import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { auditAt } from "../../../src/commands/ask-ledger.ts";
import { findLedgerPlace } from "../../../src/files/ledger-place.ts";
import { openLedgerInPostgres } from "../../../src/ledger/ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { backupPostgres } from "../../../src/ledger/postgres/backup.ts";
import { restoreLedger } from "../../../src/ledger/restore.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { until } from "../../helpers/hang-limit.ts";
import { startMoneyNode } from "../../helpers/money-node.ts";
import { failureOf } from "../../helpers/open-books.ts";
import { PAYERS, payFor } from "../../helpers/payers.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { createStillClock } from "../../helpers/still-clock.ts";

const why = whyNoPostgres();
if (why !== null) noteSkipped("a node whose books are in PostgreSQL", why);

let server: PostgresServer;
const folder = mkdtempSync(join(tmpdir(), "postgres-node-"));
beforeAll(async () => {
  if (why === null) server = await startPostgres();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (why === null) await server.stop();
});

describe.skipIf(why !== null)("a node whose books are in PostgreSQL", () => {
  test("sells, refuses uncharged while the database is away, goes on by itself, and is backed up", async () => {
    const url = `${server.url}?schema=selling`;
    const money = await startMoneyNode(`[ledger]\nurl = "${url}"`);
    const payer = await PAYERS[0]?.newPayer(money.sandbox.facilitatorUrl());
    if (payer === undefined) throw new Error("nobody pays");
    const resource = `${money.url}/one`;
    const buy = async () => fetch(resource, { headers: await payFor(resource, payer, 2) });
    const healthOf = async () => (await fetch(`${money.url}/healthz`)).status;
    expect((await buy()).status).toBe(200);
    const headers = await payFor(`${resource}?q=b`, payer, 2);

    await server.kill();
    await until(async () => (await healthOf()) === 503, "the node to notice");
    const refused = await fetch(`${resource}?q=b`, { headers });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: "ledger_unavailable", charged: false });
    expect(money.settlements()).toBe(1);
    for (const free of ["/.well-known/x402.json", "/openapi.json", "/llms.txt"]) {
      expect((await fetch(`${money.url}${free}`)).status, free).toBe(200);
    }
    expect((await fetch(resource)).status).toBe(402);

    await server.start();
    await until(async () => (await healthOf()) === 200, "the way back");
    // The payment that was refused is as good as before.
    const paid = await fetch(`${resource}?q=b`, { headers });
    expect(paid.status).toBe(200);
    expect(money.settlements()).toBe(2);

    const address = readAddress({ url });
    const to = join(folder, "ledger-backup.db");
    const backup = await backupPostgres(address, to);
    expect(backup).toMatchObject({ file: to, audit: { ok: true, receipts: 2 } });
    expect(restoreLedger(to, join(folder, "restored"))).toEqual(backup.audit);
    expect(await auditAt({ file: null, address })).toEqual(backup.audit);
    await money.stop();
  });
});

test.skipIf(why !== null)(
  "a node that took the books over ends what the other left, and the other changes nothing",
  async () => {
    const address = readAddress({ url: `${server.url}?schema=standby` });
    const clock = createStillClock();
    const open = (owner: string) => openLedgerInPostgres({ address, clock, owner, seat: { name: null }, readers: 2 });
    const first = await open("first");
    const key = await first.keys.issue(
      { public_id: "key_1", hash: "ab".repeat(32), salt: null, label: null, purchaser: null },
      { plan: "p", credit: 100n, duration_ms: null, pass: false, priority: 1, badge: null },
      { by: "operator" },
    );
    const charge = { key, root: key, product: "one", amount: 10n, now_ms: 0 };
    const held = await first.charges.hold(charge, null);
    if (!held.ok) throw new Error("not held");
    // It falls silent for longer than the books stay with it.
    const admin = new SQL(server.url, { max: 1 });
    await admin.unsafe("UPDATE standby.seats SET until = now() - interval '1 second'");
    const second = await open("second");
    expect(await second.charges.recover()).toBe(1);
    expect(await second.keys.balance(key.account ?? "")).toEqual({ posted: 100n, pending: 0n });
    // And wakes up.
    const late = await failureOf(first.charges.post(held.id, charge, { body: "{}", name: null }));
    expect(late).toMatchObject({ code: "ledger_unavailable" });
    expect(first.halted).toContain("second");
    expect(await failureOf(first.keys.revoke("key_1"))).toMatchObject({ code: "ledger_unavailable" });
    await first.close();
    expect(await second.charges.debit(charge, { body: "{}", name: null })).toMatchObject({ ok: true });
    expect((await second.audit()).findings).toEqual([]);
    await second.close();
    await admin.close();
  },
);

describe("the place of the books", () => {
  test("is never begun anew where they were moved from, and never is in two places", () => {
    const data = mkdtempSync(join(folder, "data-"));
    const ledger = { url: "postgres://intel@127.0.0.1/intel" };
    expect(findLedgerPlace({}, data).file).toBe(join(data, "ledger.db"));
    expect(findLedgerPlace(ledger, data).address).toMatchObject({ database: "intel", tls: null });
    writeFileSync(join(data, "ledger.db.moved"), "");
    expect(() => findLedgerPlace({}, data)).toThrow("were moved to PostgreSQL");
    writeFileSync(join(data, "ledger.db"), "");
    expect(() => findLedgerPlace(ledger, data)).toThrow("ledger move");
  });

  test("is an address without a password, over TLS unless it is this machine", () => {
    const remote = readAddress({ url: "postgres://intel@db.example.com/intel", password: "secret" });
    expect(remote).toMatchObject({ port: 5432, password: "secret", tls: { ca: undefined }, schema: "public" });
    for (const [url, reason] of [
      ["postgres://intel:secret@db.example.com/intel", "password"],
      ["postgres://db.example.com/intel", "user"],
      ["postgres://intel@db.example.com/intel?sslmode=disable", "sslmode"],
      ["mysql://intel@db.example.com/intel", "postgres://"],
    ] as const) {
      expect(() => readAddress({ url }), url).toThrow(reason);
    }
  });
});
