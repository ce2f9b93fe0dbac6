import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { sha256Hex } from "../../../src/core/hash.ts";
import type { Recovered } from "../../../src/ledger/cluster.ts";
import type { KeyRow } from "../../../src/ledger/key-rows.ts";
import { type Ledger, openLedgerInPostgres } from "../../../src/ledger/ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { createCommandLane } from "../../../src/ledger/postgres/command-lane.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { until } from "../../helpers/hang-limit.ts";
import { failureOf } from "../../helpers/open-books.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { createStillClock } from "../../helpers/still-clock.ts";

/** What nodes leave to each other, and what they keep. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("what nodes on one PostgreSQL leave to each other", why);
const SEAT_MS = 60_000;

let server: PostgresServer;
let admin: SQL;
beforeAll(async () => {
  if (why !== null) return;
  server = await startPostgres();
  admin = new SQL(server.url, { max: 1 });
});
afterAll(async () => {
  if (why !== null) return;
  await admin.close();
  await server.stop();
});

const clock = createStillClock();
const addressOf = (schema: string) => readAddress({ url: `${server.url}?schema=${schema}` });
const answer = { body: "{}", name: null };
const chargeOf = (key: KeyRow) => ({ key, root: key, product: "one", amount: 10n, now_ms: 0 });
const issue = ({ keys }: Ledger, name: string): Promise<KeyRow> =>
  keys.issue(
    { public_id: name, hash: sha256Hex(name), salt: null, label: null, purchaser: null },
    { plan: "p", credit: 1_000n, duration_ms: null, pass: false, priority: 1, badge: null },
    { by: "operator" },
  );
const begin = ({ payments }: Ledger, replay_key: string) =>
  payments.begin({
    replay_key,
    payload_hash: "hash",
    fingerprint: replay_key,
    product: "one",
    network: "eip155:84532",
    asset: "0xusdc",
    payer: replay_key,
    pay_to: "0xseller",
    amount: 10n,
    valid_until_ms: 4_000_000_000_000,
    payload: "{}",
  });
const redemption = (id: string) => ({ id, client: id, product: "one", amount: 1n });
const rules = { client_since_ms: 0, budget_since_ms: 0, budget: 100n };

interface Work {
  readonly hold: number;
  readonly received: string;
  readonly settling: string;
}

/** One of everything that can be under way. */
async function beginAll(ledger: Ledger, name: string, key: KeyRow): Promise<Work> {
  const held = await ledger.charges.hold(chargeOf(key), null);
  const [received, settling] = [await begin(ledger, `${name} received`), await begin(ledger, `${name} settling`)];
  if (!held.ok || !received.started || !settling.started) throw new Error("not begun");
  await ledger.payments.keepAnswer(settling.id, "answer");
  expect(await ledger.coupons.hold(redemption(name), rules)).toBe("held");
  return { hold: held.id, received: received.id, settling: settling.id };
}

describe.skipIf(why !== null)("nodes on one ledger", () => {
  test("end what a dead one left, and go on with their own work", async () => {
    const told: Recovered[] = [];
    const open = (name: string, seat_ms: number) =>
      openLedgerInPostgres({
        address: addressOf("ended"),
        clock,
        owner: name,
        readers: 1,
        seat: { name, seat_ms, onRecovered: (recovered) => told.push(recovered) },
      });
    const dead = await open("dead", SEAT_MS);
    const key = await issue(dead, "key_1");
    const lives = await open("lives", 400);
    const left = await beginAll(dead, "left", key);
    const own = await beginAll(lives, "own", key);
    await admin.unsafe(`UPDATE ended.seats SET until = now() - interval '1 second' WHERE owner = 'dead'`);
    await until(() => told.length > 0, "what was left to be ended");
    expect(told).toEqual([{ abandoned: 1, unknown: 1, holds: 1, coupons: 1 }]);

    const stateOf = async (id: string) => (await lives.payments.get(id))?.state;
    expect([await stateOf(left.received), await stateOf(left.settling)]).toEqual(["abandoned", "unknown"]);
    expect([await stateOf(own.received), await stateOf(own.settling)]).toEqual(["received", "settling"]);
    expect(await lives.charges.post(own.hold, chargeOf(key), answer)).toMatchObject({ ok: true });
    await lives.payments.keepAnswer(own.received, "answer");
    await lives.coupons.use("own");
    expect(lives.halted).toBeNull();
    expect(await lives.keys.balance(key.account ?? "")).toEqual({ posted: 990n, pending: 0n });
    expect((await lives.audit()).findings).toEqual([]);
    await lives.close();
    await dead.close();
  });

  test("sell at once although their session was removed while they had nothing to do", async () => {
    const open = (owner: string) =>
      openLedgerInPostgres({ address: addressOf("idle"), clock, owner, readers: 1, seat: { name: owner } });
    const idle = await open("idle");
    const key = await issue(idle, "key_1");
    expect(await idle.charges.debit(chargeOf(key), answer)).toMatchObject({ ok: true });
    await admin.unsafe("UPDATE idle.sessions SET seen_at = now() - interval '2 days'");
    const other = await open("other");
    expect(await idle.charges.debit(chargeOf(key), answer)).toMatchObject({ ok: true });
    expect(await idle.keys.revoke("key_1")).toMatchObject({ public_id: "key_1" });
    expect(idle.trouble).toBeNull();
    expect((await idle.keys.usage(key.id)).calls).toBe(2);
    await other.close();
    await idle.close();
  });
});

test.skipIf(why !== null)("nodes of a cluster book calls in lanes of their own, while there are enough", async () => {
  const open = (name: string, seat_ms = SEAT_MS) =>
    openLedgerInPostgres({ address: addressOf("lanes_of"), clock, owner: name, readers: 1, seat: { name, seat_ms } });
  const lanes = async () =>
    (await admin.unsafe("SELECT lane FROM lanes_of.seats WHERE NOT ended ORDER BY lane")).map((row: { lane: number }) =>
      Number(row.lane),
    );
  const nodes: Ledger[] = [];
  for (let n = 0; n < 16; n++) nodes.push(await open(`node-${n}`));
  expect(await lanes()).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  // A lane that was given back is the next one's.
  await nodes[4]?.close();
  nodes[4] = await open("node-new");
  expect(new Set(await lanes()).size).toBe(15);
  const key = await issue(nodes[4], "key_1");
  const charged = await nodes[4].charges.debit(chargeOf(key), answer);
  expect(charged.ok && charged.call_id % 16).toBe(5);
  await Promise.all(nodes.map((node) => node.close()));
});

/** A connection on which things go wrong: `meddle` decides what comes of each batch. */
async function openLane(schema: string, meddle: (send: () => Promise<unknown>) => Promise<unknown>) {
  // Outlives what the lane closes: as a batch that is on its way does.
  const way = new SQL(server.url, { max: 1, connection: { search_path: schema } });
  const ledger = await openLedgerInPostgres({ address: addressOf(schema), clock, owner: "node", readers: 1 });
  const key = await issue(ledger, "key_1");
  const connect = (): SQL => {
    const unsafe = (text: string, values: unknown[]) =>
      text.includes("run_commands") ? meddle(() => way.unsafe(text, values)) : way.unsafe(text, values);
    return { unsafe, close: async () => undefined } as unknown as SQL;
  };
  const lane = createCommandLane({ connect, clock, lane: 3, owner: "node", give_up_ms: 2_000 });
  const { account, id } = key;
  const charge = { key: { id, daily_cap: null }, root: { account }, product: "one", amount: "10", now_ms: 0 };
  const debit = () =>
    lane.call("charges.debit", JSON.stringify([charge, { body: "{}", sha256: sha256Hex("{}"), name: null }]));
  const calls = async () => (await ledger.keys.usage(id)).calls;
  return { debit, calls, close: () => Promise.all([lane.end(), ledger.close()]).then(() => way.close()) };
}

const outOfMemory = () =>
  new SQL.PostgresError("out of memory", { code: "ERR_POSTGRES_SERVER_ERROR", errno: "53200" } as never);

describe.skipIf(why !== null)("a batch whose connection was lost", () => {
  test("and that was done, is told so even if the server refuses to look", async () => {
    const turns: string[] = [];
    const lane = await openLane("doubt", async (send) => {
      turns.push("");
      if (turns.length === 2) throw outOfMemory();
      const done = await send();
      if (turns.length === 1) throw new Error("Connection closed");
      return done;
    });
    expect(await lane.debit()).toMatchObject({ ok: true, available: "990" });
    expect(await lane.debit()).toMatchObject({ ok: true, available: "980" });
    expect(await lane.calls()).toBe(2);
    await lane.close();
  });

  test("and that is refused when it is sent again, is not done later either", async () => {
    const held = Promise.withResolvers<() => Promise<unknown>>();
    let turn = 0;
    const lane = await openLane("late", async (send) => {
      turn += 1;
      if (turn === 1) {
        held.resolve(send);
        throw new Error("Connection closed");
      }
      if (turn === 2) throw outOfMemory();
      return send();
    });
    expect(await failureOf(lane.debit())).toMatchObject({ state: "53200" });
    // It was on its way all the time.
    await (await held.promise)();
    expect(await lane.calls()).toBe(0);
    expect(await lane.debit()).toMatchObject({ ok: true, available: "990" });
    await lane.close();
  });
});
