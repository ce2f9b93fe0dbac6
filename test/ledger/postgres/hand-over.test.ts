import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { handOver } from "../../../src/commands/handover/hand-over.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { newLedgerFolder, removeLedgerFolders } from "../../helpers/sample-ledger.ts";
import { actor, issueIn, openDatabase } from "../../helpers/upgrade-actor.ts";

/** A node whose books are in a database gives its place away: there is no file, and nothing is put back. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("a hand-over with books in PostgreSQL", why);

let server: PostgresServer;
beforeAll(async () => {
  if (why === null) server = await startPostgres();
});
afterAll(async () => {
  removeLedgerFolders();
  if (why === null) await server.stop();
});

describe.skipIf(why !== null)("with books in PostgreSQL", () => {
  test.each([
    ["prepared", "returned"],
    ["opened", "returned"],
    ["sold", "returned"],
    ["never", "handed"],
  ] as const)("a new program that dies when %s leaves every acknowledged key there", async (death, kind) => {
    const url = `${server.url}?schema=${death}`;
    const folder = newLedgerFolder();
    const ledger = await openDatabase(url);
    await issueIn(ledger, "key_1");
    const outcome = await handOver({
      node: { listener: { port: 0 }, release: () => ledger.close() },
      log: createLog({ level: "silent", format: "json", secrets: [] }),
      data_dir: folder,
      drain_ms: 0,
      ready_ms: 600_000,
      program: actor("new", folder, death, url),
      own_program: actor("old", folder, url),
    });
    expect(outcome.kind).toBe(kind);
    const after = await openDatabase(url);
    const keys = (await after.keys.page(0, 10)).map(({ public_id }) => public_id);
    expect(keys.sort()).toEqual(["key_1", ...(death === "sold" ? ["key_sold"] : [])]);
    expect((await after.audit()).findings).toEqual([]);
    await after.close();
    expect(readdirSync(folder).filter((name) => name.startsWith("ledger.db"))).toEqual([]);
  });
});
