import { afterAll, beforeAll, test } from "bun:test";
import { SQL } from "bun";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { until } from "../../helpers/hang-limit.ts";
import { type PostgresServer, startPostgres, startStandby, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { openSellers } from "../../helpers/sellers.ts";

/** Primaries that are lost while three nodes sell, and their synchronous standbys that take their places. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("failover of PostgreSQL", why);
const FAILOVERS = process.env.TEST_FULL ? 20 : 1;
const CALLS = process.env.TEST_FULL ? 300 : 60;
const CALLERS = 4;
const PAYERS = 2;
const PAYMENTS = 20;

let primary: PostgresServer;
let standby: PostgresServer;
beforeAll(async () => {
  if (why !== null) return;
  primary = await startPostgres();
  standby = await startStandby(primary);
});
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
  "nothing that three nodes acknowledged is lost when a synchronous standby takes the place of its primary",
  async () => {
    const door = startDoor(primary.port);
    const url = `postgres://intel@127.0.0.1:${door.port}/postgres`;
    const sellers = await openSellers({ url, schema: "failover", callers: CALLERS, payers: PAYERS });
    const { tally } = sellers;
    const count = () => ({ calls: tally.acknowledged.length, payments: tally.receipts.length });
    const areSelling = (since: ReturnType<typeof count>) =>
      sellers.areWell() &&
      tally.acknowledged.length > since.calls + CALLS &&
      tally.receipts.length > since.payments + PAYMENTS;
    for (let round = 0; round < FAILOVERS; round++) {
      const stop = sellers.start();
      const before = count();
      await until(() => areSelling(before), "some calls");
      await primary.kill();
      const admin = new SQL(standby.url, { max: 1 });
      await admin.unsafe("SELECT pg_promote(true, 60)");
      // The new primary has no standby yet: commits would wait for one.
      await admin.unsafe("ALTER SYSTEM SET synchronous_standby_names = ''");
      await admin.unsafe("SELECT pg_reload_conf()");
      const at_move = count();
      door.move(standby.port);
      await until(() => areSelling(at_move), "calls on the new primary");
      await stop();
      await sellers.check(admin);
      await admin.close();
      await primary.stop();
      primary = standby;
      standby = await startStandby(primary);
    }
    await sellers.close();
    door.stop();
  },
);
