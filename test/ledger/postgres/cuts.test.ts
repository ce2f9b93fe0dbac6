import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { createSettableClock } from "../../../src/core/clock.ts";
import { isNodeError } from "../../../src/core/errors.ts";
import { sha256Hex } from "../../../src/core/hash.ts";
import type { KeyRow } from "../../../src/ledger/key-rows.ts";
import { type Ledger, openLedgerInPostgres } from "../../../src/ledger/ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { until } from "../../helpers/run-node.ts";

/** What becomes of commands when the way to the database, or the database itself, goes away under them. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("connections to PostgreSQL that are cut", why);
const CUTS = process.env.TEST_FULL ? 200 : 8;
const CRASHES = process.env.TEST_FULL ? 20 : 2;
const CALLS = 60;

let server: PostgresServer;
beforeAll(async () => {
  if (why === null) server = await startPostgres();
}, 60_000);
afterAll(async () => {
  if (why === null) await server.stop();
});

async function open(schema: string, owner = "node"): Promise<Ledger> {
  const address = readAddress({ url: `${server.url}?schema=${schema}` });
  return openLedgerInPostgres({ address, clock: createSettableClock(), owner, readers: 2 });
}

const issue = ({ keys }: Ledger): Promise<KeyRow> =>
  keys.issue(
    { public_id: "key_1", hash: sha256Hex("1"), salt: null, label: null, purchaser: null },
    { plan: "p", credit: 1_000_000_000n, duration_ms: null, pass: false, priority: 1, badge: null },
    { by: "operator" },
  );

interface Tally {
  acknowledged: number;
  unknown: number;
  refused: number;
}

/** Debits in small groups; counts what each was told. */
async function load({ charges }: Ledger, key: KeyRow, tally: Tally): Promise<void> {
  const charge = { key, root: key, product: "one", amount: 10n, now_ms: 0 };
  for (let n = 0; n < CALLS; n++) {
    const calls = Array.from({ length: 1 + (n % 4) }, async () => {
      try {
        const { ok } = await charges.debit(charge, { body: "{}", name: null });
        expect(ok).toBe(true);
        tally.acknowledged += 1;
      } catch (error) {
        if (!isNodeError(error) || error.code !== "ledger_unavailable") throw error;
        if (error.options.charge_unknown) tally.unknown += 1;
        else tally.refused += 1;
      }
    });
    await Promise.all(calls);
  }
}

/** What was acknowledged is in the books once, what was refused is not, and nothing else is. */
async function check(ledger: Ledger, key: KeyRow, { acknowledged, unknown }: Tally): Promise<void> {
  const { calls } = await ledger.keys.usage(key.id);
  expect(calls).toBeGreaterThanOrEqual(acknowledged);
  expect(calls).toBeLessThanOrEqual(acknowledged + unknown);
  expect((await ledger.audit()).findings).toEqual([]);
}

describe.skipIf(why !== null)("commands under way", () => {
  test("are done once when their connection is cut, and their callers notice nothing", async () => {
    const ledger = await open("cuts");
    const key = await issue(ledger);
    const admin = new SQL(server.url, { max: 1 });
    const tally: Tally = { acknowledged: 0, unknown: 0, refused: 0 };
    let cut = 0;
    for (let round = 0; round < CUTS; round++) {
      let running = true;
      const loading = load(ledger, key, tally).finally(() => {
        running = false;
      });
      // While a batch runs, so that its commit is open.
      while (running) {
        const ended = await admin.unsafe(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'intel-node' AND state = 'active' AND query LIKE '%run_commands%'`,
        );
        if (ended.length > 0) {
          cut += ended.length;
          break;
        }
      }
      await loading;
      await until(() => ledger.trouble === null, "the way back");
    }
    expect(cut).toBeGreaterThan(CUTS / 2);
    expect(tally.unknown).toBe(0);
    expect((await ledger.keys.usage(key.id)).calls).toBe(tally.acknowledged);
    await check(ledger, key, tally);
    await admin.close();
    await ledger.close();
  }, 600_000);

  test("of a server that is killed lose nothing that was acknowledged, and go on by themselves", async () => {
    const ledger = await open("crashes");
    const told: (string | null)[] = [];
    ledger.onTrouble((reason) => told.push(reason));
    const key = await issue(ledger);
    const tally: Tally = { acknowledged: 0, unknown: 0, refused: 0 };
    for (let round = 0; round < CRASHES; round++) {
      const loading = load(ledger, key, tally);
      await until(() => tally.acknowledged > round * 20 + 5, "some calls");
      await server.kill();
      await until(() => ledger.trouble !== null, "the node to notice");
      await loadUntilRefused(ledger, key);
      await server.start();
      await loading;
      await until(() => ledger.trouble === null, "the way back");
      expect(
        await ledger.charges.debit({ key, root: key, product: "one", amount: 10n, now_ms: 0 }, body),
      ).toMatchObject({
        ok: true,
      });
      tally.acknowledged += 1;
    }
    expect(told.filter((reason) => reason === null).length).toBe(CRASHES);
    expect(tally.unknown).toBe(0);
    await check(ledger, key, tally);
    await ledger.close();
  }, 600_000);
});

const body = { body: "{}", name: null };

/** While the database is away, what is new is refused at once and uncharged. */
async function loadUntilRefused(ledger: Ledger, key: KeyRow): Promise<void> {
  const charge = { key, root: key, product: "one", amount: 10n, now_ms: 0 };
  const refusal = await ledger.charges.debit(charge, body).then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({ code: "ledger_unavailable" });
  expect(refusal).not.toMatchObject({ options: { charge_unknown: true } });
}
