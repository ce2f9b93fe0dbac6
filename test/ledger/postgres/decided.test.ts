import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { SQL } from "bun";
import { sha256Hex } from "../../../src/core/hash.ts";
import type { KeyRow } from "../../../src/ledger/key-rows.ts";
import { type Ledger, openLedgerInPostgres } from "../../../src/ledger/ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { DEBITS } from "../../../src/ledger/postgres/debits.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { createSeller } from "../../helpers/sample-ledger.ts";
import { createStillClock, START_MS } from "../../helpers/still-clock.ts";

/** A batch is locked in one statement and written in another: what may come between, and who else sells meanwhile. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("batches that are decided between two statements", why);
const PRICE = 10n;
const PAYMENT = {
  payload_hash: "hash",
  product: "one",
  network: "eip155:84532",
  asset: "0xusdc",
  pay_to: "0xseller",
  amount: PRICE,
  valid_until_ms: 4_000_000_000_000,
  payload: "{}",
};

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

interface Way {
  readonly port: number;
  /** Settles when what writes a batch has come, and is held. */
  readonly held: Promise<void>;
  release(): void;
  /** Ends the connection on which it is held. */
  cut(): void;
  close(): void;
}

interface Waiting {
  readonly client: Socket;
  readonly up: Socket;
  readonly bytes: Buffer[];
}

/** A way to the server on which the second statement of the first batch does not arrive until it is released. */
async function openWay(): Promise<Way> {
  const held = Promise.withResolvers<void>();
  const all = new Set<Socket>();
  let waiting: Waiting | null = null;
  let was_held = false;
  const way: Server = createServer((client) => {
    const up = dial(server.port, "127.0.0.1");
    for (const socket of [client, up]) {
      all.add(socket);
      socket.on("error", () => socket.destroy());
    }
    client.on("close", () => up.destroy());
    // Who is stopped learns of it when it goes on.
    up.on("close", () => {
      if (waiting?.client !== client) client.destroy();
    });
    up.on("data", (bytes) => void client.write(bytes));
    client.on("data", (chunk) => {
      const bytes = Buffer.from(chunk as Uint8Array);
      if (waiting?.client === client) {
        waiting.bytes.push(bytes);
      } else if (!was_held && bytes.includes("SELECT write_batch(")) {
        was_held = true;
        waiting = { client, bytes: [bytes], up };
        held.resolve();
      } else {
        up.write(bytes);
      }
    });
  });
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
  const address = way.address();
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return {
    port: address.port,
    held: held.promise,
    release() {
      if (waiting === null) return;
      const { client, bytes, up } = waiting;
      waiting = null;
      if (up.destroyed) client.destroy();
      else for (const each of bytes) up.write(each);
    },
    cut() {
      waiting?.client.destroy();
      waiting = null;
    },
    close() {
      for (const socket of all) socket.destroy();
      way.close();
    },
  };
}

interface Opening {
  readonly port?: number;
  readonly locks_ms_max?: number;
}

const open = (name: string, schema: string, { port = server.port, locks_ms_max }: Opening = {}): Promise<Ledger> =>
  openLedgerInPostgres({
    address: readAddress({ url: `postgres://intel@127.0.0.1:${port}/postgres?schema=${schema}` }),
    clock: createStillClock(),
    owner: name,
    readers: 1,
    give_up_ms: 120_000,
    locks_ms_max,
    seat: { name, seat_ms: 600_000 },
  });
const issue = ({ keys }: Ledger, name: string, credit: bigint): Promise<KeyRow> =>
  keys.issue(
    { public_id: name, hash: sha256Hex(name), salt: null, label: null, purchaser: null },
    { plan: "p", credit, duration_ms: null, pass: false, priority: 1, badge: null },
    { by: "operator" },
  );
const chargeOf = (key: KeyRow) => ({ key, root: key, product: "one", amount: PRICE, now_ms: START_MS });
const answer = { body: "{}", name: null };

describe.skipIf(why !== null)("a node that stops between the two statements of a batch", () => {
  test("keeps no other from its balances, and loses and doubles nothing when it goes on", async () => {
    const way = await openWay();
    const other = await open("other", "stopped");
    const node = await open("node", "stopped", { port: way.port, locks_ms_max: 500 });
    const key = await issue(other, "key_1", 3n * PRICE);
    const under_way = [node.charges.debit(chargeOf(key), answer), node.charges.hold(chargeOf(key), null)];
    await way.held;
    // Waits for the locks, which the server takes from the one that stopped.
    expect(await other.charges.debit(chargeOf(key), answer)).toMatchObject({ ok: true, available: 2n * PRICE });
    way.release();
    const told = await Promise.all(under_way);
    expect(told.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await other.keys.balance(key.account ?? "")).toEqual({ posted: PRICE, pending: PRICE });
    expect((await other.keys.usage(key.id)).calls).toBe(2);
    for (const ledger of [node, other]) {
      expect((await ledger.audit()).findings).toEqual([]);
      await ledger.close();
    }
    way.close();
  });

  test("and whose connection is cut there, writes the batch once over the next one", async () => {
    const way = await openWay();
    const node = await open("node", "cut", { port: way.port });
    const key = await issue(node, "key_1", 10n * PRICE);
    const under_way = [1, 2].map(() => node.charges.debit(chargeOf(key), answer));
    await way.held;
    way.cut();
    expect((await Promise.all(under_way)).map(({ ok }) => ok)).toEqual([true, true]);
    expect(await node.keys.balance(key.account ?? "")).toEqual({ posted: 8n * PRICE, pending: 0n });
    expect((await node.keys.usage(key.id)).calls).toBe(2);
    expect((await node.audit()).findings).toEqual([]);
    expect([node.halted, node.trouble]).toEqual([null, null]);
    await node.close();
    way.close();
  });
});

/** Charges as a node of before sends them: the database decides. */
async function openOldNode(schema: string, owner: string, lane: number) {
  const sql = new SQL(server.url, { max: 1, connection: { search_path: schema } });
  await sql.unsafe("INSERT INTO sessions (id, owner) VALUES ($1::text, $1::text)", [owner]);
  let batch = 0;
  const stateOf = (error: unknown) => (error instanceof SQL.PostgresError ? String(error.errno) : "");
  async function run(text: string, values: readonly unknown[]): Promise<unknown[]> {
    for (;;) {
      try {
        const [row] = await sql.unsafe(text, [owner, batch, lane, START_MS, ...values]);
        return JSON.parse(row.results);
      } catch (error) {
        // Another's locks were in its way, in a circle.
        if (stateOf(error) !== "40P01") throw error;
      }
    }
  }
  const runAll = (commands: readonly unknown[]) =>
    run("SELECT run_commands($1::text, $2::bigint, $3::bigint, $4::bigint, $5::text) AS results", [
      JSON.stringify(commands),
    ]);
  const of = ({ id, account }: KeyRow) => ({
    key: { id, daily_cap: null },
    root: { account },
    product: "one",
    amount: String(PRICE),
    now_ms: START_MS,
  });
  const bytes = { body: "{}", sha256: sha256Hex("{}"), name: null };
  return {
    /** Debits of one batch. @returns how many were charged. */
    async debit(keys: readonly KeyRow[]): Promise<number> {
      batch += 1;
      const sorted = [...keys].sort((a, b) => ((a.account ?? "") < (b.account ?? "") ? -1 : 1));
      const debits = sorted.map(({ id, account }) => ({
        account: account ?? "",
        key: id,
        cap: null,
        amount: PRICE,
        product: "one",
        day: 0,
        answer: { body: bytes.body, sha256: bytes.sha256 },
      }));
      try {
        await run(DEBITS.whole.sql, DEBITS.whole.values(debits));
        return keys.length;
      } catch (error) {
        if (stateOf(error) !== "LB006") throw error;
        const told = await runAll(sorted.map((key) => ["charges.debit", [of(key), bytes]]));
        return told.filter((each) => (each as { ok: boolean }).ok).length;
      }
    },
    /** Sets a price aside, and gives it back. */
    async holdAndVoid(key: KeyRow): Promise<void> {
      batch += 1;
      const [held] = (await runAll([["charges.hold", [of(key), null]]])) as { ok: boolean; id: number }[];
      batch += 1;
      if (held?.ok) await runAll([["charges.void", [held.id]]]);
    },
    /** Sends some of a sale back. @returns whether it was written; false as well when it was refused. */
    async giveBack(receipt_id: string, reference: string, amount: bigint): Promise<boolean> {
      batch += 1;
      const refund = { receipt_id, amount: String(amount), reference, reason: "r" };
      try {
        const [told] = (await runAll([["refunds.giveBack", [refund]]])) as { is_new: boolean }[];
        return told?.is_new === true;
      } catch (error) {
        if (stateOf(error) !== "LB002") throw error;
        return false;
      }
    },
    /** One command of the lane that everybody books in, by its name. */
    async run(name: string, ...args: readonly unknown[]): Promise<unknown> {
      batch += 1;
      const rendered = JSON.stringify(args, (_, value) => (typeof value === "bigint" ? String(value) : value));
      return (await runAll([[name, JSON.parse(rendered)]]))[0];
    },
    close: () => sql.close(),
  };
}

describe.skipIf(why !== null)("a node of before and one that decides by itself", () => {
  test("sell the same balances side by side, to the last call each pays for", async () => {
    const node = await open("node", "mixed");
    const keys: KeyRow[] = [];
    const calls_each = 40n;
    for (let n = 0; n < 4; n++) keys.push(await issue(node, `key_${n}`, calls_each * PRICE));
    await admin.unsafe(
      "INSERT INTO mixed.seats (owner, name, alone, until, lane) VALUES ('old', 'old', false, 'infinity', 9)",
    );
    const old = await openOldNode("mixed", "old", 9);
    let sold = 0;
    const sellNew = async (round: number): Promise<void> => {
      const mine = round % 2 === 0 ? keys : keys.toReversed();
      const asked = mine.flatMap((key) => [
        node.charges.debit(chargeOf(key), answer),
        node.charges.debit(chargeOf(key), answer),
      ]);
      const holds = mine.map(async (key) => {
        const held = await node.charges.hold(chargeOf(key), null);
        if (held.ok) await node.charges.void(held.id);
      });
      const told = await Promise.all(asked);
      sold += told.filter(({ ok }) => ok).length;
      await Promise.all(holds);
    };
    const sellOld = async (round: number): Promise<void> => {
      const charged = await old.debit(round % 2 === 0 ? keys : keys.toReversed());
      sold += charged;
      await old.holdAndVoid(keys[round % keys.length] as KeyRow);
    };
    const rounds = Array.from({ length: 30 }, (_, n) => n);
    await Promise.all(
      [sellNew, sellOld].map(async (sell) => {
        for (const round of rounds) await sell(round);
      }),
    );
    for (const key of keys) {
      // Whatever a hold kept from the last ones is free again.
      while ((await node.charges.debit(chargeOf(key), answer)).ok) sold += 1;
      expect(await node.keys.balance(key.account ?? "")).toEqual({ posted: 0n, pending: 0n });
      expect((await node.keys.usage(key.id)).calls).toBe(Number(calls_each));
    }
    expect(sold).toBe(Number(calls_each) * keys.length);
    expect((await node.audit()).findings).toEqual([]);
    const broken = await admin.unsafe(
      `SELECT c.id FROM mixed.calls c LEFT JOIN mixed.calls p ON p.id = c.previous
       WHERE c.previous <> 0 AND (p.key_id IS DISTINCT FROM c.key_id OR p.id >= c.id)`,
    );
    expect(broken).toHaveLength(0);
    await old.close();
    await node.close();
  });

  test("send no more of a sale back than was paid, and each reference once", async () => {
    const nodes = [await open("one", "refunds"), await open("two", "refunds")];
    const [node] = nodes as [Ledger, Ledger];
    const { sell } = createSeller(node, () => START_MS);
    const receipt_id = (await node.payments.get(await sell()))?.receipt_id ?? "";
    const paid = (await node.receipts.get(receipt_id))?.amount ?? 0n;
    const part = paid / 8n;
    await admin.unsafe(
      "INSERT INTO refunds.seats (owner, name, alone, until, lane) VALUES ('old', 'old', false, 'infinity', 9)",
    );
    const old = await openOldNode("refunds", "old", 0);
    const giveBack = (ledger: Ledger, reference: string) =>
      ledger.refunds.giveBack({ receipt_id, amount: part, reference, reason: "r" }).catch(() => false);
    // All three ask for each of twelve references; eight of them use up what was paid.
    const references = Array.from({ length: 12 }, (_, n) => `0x${n}`);
    const told = await Promise.all([
      ...nodes.flatMap((ledger) => references.map((reference) => giveBack(ledger, reference))),
      (async () => {
        const mine: boolean[] = [];
        for (const reference of references.toReversed()) mine.push(await old.giveBack(receipt_id, reference, part));
        return mine;
      })(),
    ]);
    expect(told.flat().filter((is_written) => is_written)).toHaveLength(8);
    const written = await node.refunds.refundsOf(receipt_id);
    expect(written.reduce((sum, { amount }) => sum + amount, 0n)).toBe(paid);
    expect(new Set(written.map(({ reference }) => reference)).size).toBe(8);
    expect((await node.audit()).findings).toEqual([]);
    await old.close();
    for (const ledger of nodes) await ledger.close();
  });

  test("book payments, coupons and gifts side by side, each once", async () => {
    const node = await open("one", "movements");
    await admin.unsafe(
      "INSERT INTO movements.seats (owner, name, alone, until, lane) VALUES ('old', 'old', false, 'infinity', 9)",
    );
    const old = await openOldNode("movements", "old", 0);
    const key = await issue(node, "key_1", PRICE);
    const rules = { client_since_ms: 0, budget: 5n * PRICE, budget_since_ms: 0 };
    const gift = { plan: "p", credit: PRICE, duration_ms: 60_000, pass: false, priority: 1, badge: null };
    const rounds = Array.from({ length: 10 }, (_, n) => n);
    let held = 0;
    for (const n of rounds) {
      const payment = { ...PAYMENT, replay_key: `evm:${n}`, fingerprint: `request ${n}`, payer: "0xpayer" };
      const [mine, theirs] = await Promise.all([
        node.payments.begin(payment),
        old.run("payments.begin", { ...payment, id: `pay_old_${n}` }) as Promise<{ started: boolean; id: string }>,
      ]);
      expect([mine.started, theirs.started].filter((started) => started)).toHaveLength(1);
      const id = mine.started ? mine.id : theirs.id;
      await (n % 2 === 0
        ? node.payments.keepAnswer(id, "{}")
        : old.run("payments.keepAnswer", id, "{}", { identifier: null, proof: null }));
      const settled = { chain_transaction: `0x${n}`, label: "organic" as const, delivered: true };
      const [booked, booked_there] = await Promise.all([
        node.payments.settle(id, settled),
        old.run("payments.settle", id, settled, `rcp_old_${n}`) as Promise<{ receipt_id: string }>,
      ]);
      expect(booked?.receipt_id).toBe(booked_there.receipt_id);
      const coupon = (client: string) => ({ id: `coupon_${n}`, client, product: "one", amount: PRICE });
      const taken = await Promise.all([
        node.coupons.hold(coupon(`a${n}`), rules),
        old.run("coupons.hold", coupon(`b${n}`), rules),
      ]);
      held += taken.filter((result) => result === "held").length;
      await Promise.all([
        node.keys.grant("key_1", gift, { by: "operator" }),
        old.run("keys.grant", "key_1", gift, { by: "operator" }),
      ]);
    }
    expect(held).toBe(5);
    expect(await node.receipts.list({ limit: 100 })).toHaveLength(rounds.length);
    expect(await node.keys.balance(key.account ?? "")).toEqual({ posted: 21n * PRICE, pending: 0n });
    expect(await node.keys.lots(key.id)).toHaveLength(21);
    expect((await node.audit()).findings).toEqual([]);
    await old.close();
    await node.close();
  });
});
