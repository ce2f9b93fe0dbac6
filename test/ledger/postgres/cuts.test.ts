import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { until } from "../../helpers/hang-limit.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { openSellers } from "../../helpers/sellers.ts";

/** What becomes of three nodes' calls when the way to the database, or the database itself, goes away under them. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("connections to PostgreSQL that are cut", why);
const CUTS = process.env.TEST_FULL ? 200 : 8;
const CRASHES = process.env.TEST_FULL ? 20 : 2;
const CALLS = 60;
// So many that their debits go together.
const CALLERS = 5;
const PAYERS = 1;

let server: PostgresServer;
beforeAll(async () => {
  if (why === null) server = await startPostgres();
});
afterAll(async () => {
  if (why === null) await server.stop();
});

describe.skipIf(why !== null)("calls under way at three nodes", () => {
  test("are done once when connections are cut, and their callers notice nothing", async () => {
    const sellers = await openSellers({ url: server.url, schema: "cuts", callers: CALLERS, payers: PAYERS });
    const { tally } = sellers;
    const admin = new SQL(server.url, { max: 1 });
    for (let round = 0; round < CUTS; round++) {
      const before = tally.acknowledged.length;
      const stop = sellers.start();
      await until(() => tally.acknowledged.length > before + CALLS / 2, "some calls");
      // While batches run, so that their commits are open; in every third round all that run at this moment.
      const most = round % 3 === 0 ? sellers.ledgers.length : 1;
      const cutSome = async (): Promise<number> => {
        const ended = await admin.unsafe(
          `SELECT pg_terminate_backend(pid) FROM (
             SELECT pid FROM pg_stat_activity
             WHERE application_name = 'intel-node' AND state = 'active' AND query ~ '(lock|write)_batch|COMMIT'
             LIMIT ${most}
           ) AS active`,
        );
        return ended.length;
      };
      while ((await cutSome()) === 0);
      const at_cut = tally.acknowledged.length;
      await until(() => sellers.areWell() && tally.acknowledged.length > at_cut + CALLS / 2, "the way back");
      await stop();
    }
    expect(tally.unknown).toBe(0);
    await sellers.check(admin);
    await sellers.close();
    await admin.close();
  });

  test("of a server that is killed lose nothing that was acknowledged, and go on by themselves", async () => {
    const sellers = await openSellers({ url: server.url, schema: "crashes", callers: CALLERS, payers: PAYERS });
    const { ledgers, tally } = sellers;
    const told = ledgers.map((ledger) => {
      const own: (string | null)[] = [];
      ledger.onTrouble((reason) => own.push(reason));
      return own;
    });
    for (let round = 0; round < CRASHES; round++) {
      const before = tally.acknowledged.length;
      const stop = sellers.start();
      await until(() => tally.acknowledged.length > before + CALLS, "some calls");
      await server.kill();
      await until(() => ledgers.every(({ trouble }) => trouble !== null), "the nodes to notice");
      // While the database is away, what is new is refused at once and uncharged.
      for (const ledger of ledgers) {
        const refusal = await sellers.sell(ledger).then(
          () => null,
          (error: unknown) => error,
        );
        expect(refusal).toMatchObject({ code: "ledger_unavailable" });
        expect(refusal).not.toMatchObject({ options: { charge_unknown: true } });
      }
      await server.start();
      await until(() => sellers.areWell(), "the way back");
      await stop();
      for (const ledger of ledgers) await sellers.sell(ledger);
    }
    expect(told.map((own) => own.filter((reason) => reason === null).length)).toEqual([CRASHES, CRASHES, CRASHES]);
    expect(tally.unknown).toBe(0);
    const admin = new SQL(server.url, { max: 1 });
    await sellers.check(admin);
    await sellers.close();
    await admin.close();
  });
});
