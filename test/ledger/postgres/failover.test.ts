import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { createSettableClock } from "../../../src/core/clock.ts";
import { isNodeError } from "../../../src/core/errors.ts";
import { sha256Hex } from "../../../src/core/hash.ts";
import { openLedgerInPostgres } from "../../../src/ledger/ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { type PostgresServer, startPostgres, startStandby, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { until } from "../../helpers/run-node.ts";

/** A primary that is lost under load, and its synchronous standby that takes its place. */
const why = process.env.TEST_FULL ? whyNoPostgres() : "run with TEST_FULL=1: two servers";
if (process.env.TEST_FULL && why !== null) noteSkipped("failover of PostgreSQL", why);
const CALLS_BEFORE = 300;
const CALLERS = 8;

let primary: PostgresServer;
let standby: PostgresServer;
beforeAll(async () => {
  if (why !== null) return;
  primary = await startPostgres();
  standby = await startStandby(primary);
}, 120_000);
afterAll(async () => {
  if (why !== null) return;
  await primary.stop();
  await standby.stop();
});

/** An address that moves with the primary. */
function startDoor(first: number) {
  let target = first;
  const open = new Set<{ end(): void }>();
  interface Pair {
    other: Bun.Socket<undefined> | null;
    early: Buffer[];
  }
  const server = Bun.listen<Pair>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { other: null, early: [] };
        open.add(socket);
        Bun.connect({
          hostname: "127.0.0.1",
          port: target,
          socket: {
            open(other) {
              socket.data.other = other;
              for (const part of socket.data.early) other.write(part);
            },
            data: (_, data) => void socket.write(data),
            close: () => void socket.end(),
            error: () => void socket.end(),
          },
        }).catch(() => socket.end());
      },
      data(socket, data) {
        if (socket.data.other === null) socket.data.early.push(Buffer.from(data));
        else socket.data.other.write(data);
      },
      close(socket) {
        open.delete(socket);
        socket.data.other?.end();
      },
    },
  });
  return {
    port: server.port,
    move(port: number) {
      target = port;
      for (const socket of open) socket.end();
    },
    stop: () => server.stop(true),
  };
}

test.skipIf(why !== null)(
  "nothing acknowledged is lost when a synchronous standby takes the place of its primary",
  async () => {
    const door = startDoor(primary.port);
    const url = `postgres://intel@127.0.0.1:${door.port}/postgres?schema=failover`;
    const clock = createSettableClock();
    const ledger = await openLedgerInPostgres({
      ...{ address: readAddress({ url }), clock, owner: "node", readers: 2, give_up_ms: 60_000 },
      seat: { name: "node-a" },
    });
    const key = await ledger.keys.issue(
      { public_id: "key_1", hash: sha256Hex("1"), salt: null, label: null, purchaser: null },
      { plan: "p", credit: 1_000_000_000n, duration_ms: null, pass: false, priority: 1, badge: null },
      { by: "operator" },
    );
    const charge = { key, root: key, product: "one", amount: 10n, now_ms: 0 };
    const tally = { acknowledged: 0, unknown: 0, refused: 0 };
    let running = true;
    const call = async () => {
      while (running) {
        try {
          await ledger.charges.debit(charge, { body: "{}", name: null });
          tally.acknowledged += 1;
        } catch (error) {
          if (!isNodeError(error) || error.code !== "ledger_unavailable") throw error;
          if (error.options.charge_unknown) tally.unknown += 1;
          else tally.refused += 1;
          await Bun.sleep(5);
        }
      }
    };
    const calling = Promise.all(Array.from({ length: CALLERS }, call));
    await until(() => tally.acknowledged > CALLS_BEFORE, "some calls");
    await primary.kill();
    const admin = new SQL(standby.url, { max: 1 });
    await admin.unsafe("SELECT pg_promote(true, 60)");
    // The new primary has no standby yet: commits would wait for one.
    await admin.unsafe("ALTER SYSTEM SET synchronous_standby_names = ''");
    await admin.unsafe("SELECT pg_reload_conf()");
    door.move(standby.port);
    const before = tally.acknowledged;
    await until(
      () => ledger.trouble === null && tally.acknowledged > before + CALLS_BEFORE,
      "calls on the new primary",
    );
    running = false;
    await calling;
    expect(ledger.halted).toBeNull();
    const { calls } = await ledger.keys.usage(key.id);
    expect(calls).toBeGreaterThanOrEqual(tally.acknowledged);
    expect(calls).toBeLessThanOrEqual(tally.acknowledged + tally.unknown);
    expect((await ledger.audit()).findings).toEqual([]);
    await ledger.close();
    await admin.close();
    door.stop();
  },
  180_000,
);
