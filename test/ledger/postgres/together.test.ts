import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { sha256Hex } from "../../../src/core/hash.ts";
import type { KeyRow } from "../../../src/ledger/key-rows.ts";
import { type Ledger, openLedger, openLedgerInPostgres } from "../../../src/ledger/ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { DEBITS } from "../../../src/ledger/postgres/debits.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { failureOf } from "../../helpers/open-books.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { TEST_SEED } from "../../helpers/seed.ts";
import { createStillClock, START_MS } from "../../helpers/still-clock.ts";
import { createRandom, type Random } from "../model.ts";

/** Charges that arrive at once: in PostgreSQL many are booked together, in a file each by itself. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("debits that PostgreSQL books together", why);
const ROUNDS = process.env.TEST_FULL ? 400 : 40;
const AT_ONCE = 40;
const DAY_MS = 86_400_000;

let server: PostgresServer;
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "ledger-together-"));
beforeAll(async () => {
  if (why === null) server = await startPostgres();
});
afterAll(async () => {
  if (why === null) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Key {
  readonly key: KeyRow;
  readonly root: KeyRow;
}

/** Parents with much and with little, some with a child, some with caps. */
async function issueKeys({ keys }: Ledger): Promise<readonly Key[]> {
  const all: Key[] = [];
  const own = (name: string) => ({ hash: sha256Hex(name), salt: null, label: null, purchaser: null, public_id: name });
  for (let n = 0; n < 8; n++) {
    const credit = n % 2 === 0 ? 10_000_000n : 900n;
    const grant = { plan: 'p"\\{},', credit, duration_ms: null, pass: false, priority: 1, badge: null };
    await keys.issue(own(`key_${n}`), grant, { by: "operator" });
    const pass = { plan: "p", credit: 0n, duration_ms: 1000 * DAY_MS, pass: true, priority: 1, badge: null };
    const key = await keys.grant(`key_${n}`, pass, { by: "operator" });
    const root = n % 3 === 0 ? await keys.amend(key.public_id, { daily_cap: 2_000n }) : key;
    all.push({ key: root, root });
    if (n % 4 > 1) continue;
    const caps = { daily_cap: n === 0 ? 500n : null, call_cap: null, products: null, expires_at_ms: null };
    all.push({ key: await keys.mint(root, { ...own(`child_${n}`), ...caps }), root });
  }
  return all;
}

interface Asked {
  readonly who: number;
  readonly kind: "debit" | "named" | "hold" | "pass";
  readonly amount: bigint;
  readonly product: string;
  readonly body: string;
  readonly name: string;
}

const pickAll = (random: Random, keys: number, round: number): readonly Asked[] =>
  Array.from({ length: 1 + random.below(AT_ONCE) }, (_, n) => ({
    who: random.below(keys),
    // Every second batch has nothing but debits without a name.
    kind: round % 2 === 0 || random.below(10) < 7 ? "debit" : random.pick(["named", "hold", "pass"] as const),
    amount: BigInt(1 + random.below(60)),
    product: random.pick(["one", 'two"\\', "{three},"]),
    body: `{"round":${round},"body":${random.below(6)}}`,
    name: `name ${random.below(round + 2)}${n % 2}`,
  }));

/** What each is told; a hold is posted or given back at once. */
function ask(
  ledger: Ledger,
  keys: readonly Key[],
  asked: readonly Asked[],
  now_ms: number,
): Promise<readonly unknown[]> {
  const told = ({ ok, available, why }: { ok: boolean; available?: bigint; why?: string }) => ({ ok, available, why });
  return Promise.all(
    asked.map(async ({ who, kind, amount, product, body, name }, n) => {
      const { key, root } = keys[who] as Key;
      const charge = { key, root, product, amount, now_ms };
      if (kind === "pass") return ledger.charges.pass({ key, product, now_ms });
      if (kind === "named") return told(await ledger.charges.debit(charge, { body, name: { name, fingerprint: "f" } }));
      if (kind === "debit") return told(await ledger.charges.debit(charge, { body, name: null }));
      const held = await ledger.charges.hold(charge, null);
      if (!held.ok) return told(held);
      if (n % 2 === 0) return ledger.charges.void(held.id);
      const { ok } = await ledger.charges.post(held.id, charge, { body, name: null });
      return ok;
    }),
  );
}

const stateOf = ({ keys }: Ledger, all: readonly Key[]) =>
  Promise.all(
    all.map(async ({ key, root }) => {
      const { calls, spent, spent_today, day } = await keys.usage(key.id);
      return { calls, spent, spent_today, day, balance: await keys.balance(root.account ?? "") };
    }),
  );

test.skipIf(why !== null)("debits that go together have the ends they would have one after the other", async () => {
  const random = createRandom(TEST_SEED);
  const clock = createStillClock();
  const address = readAddress({ url: server.url });
  const file = openLedger({ file: join(folder, "ledger.db"), clock });
  const database = await openLedgerInPostgres({ address, clock, owner: "node", readers: 2 });
  const both = [file, database] as const;
  const keys = [await issueKeys(file), await issueKeys(database)] as const;
  for (let round = 0; round < ROUNDS; round++) {
    const asked = pickAll(random, keys[0].length, round);
    const [of_file, of_database] = await Promise.all(
      both.map((ledger, n) => ask(ledger, keys[n] ?? [], asked, clock.now())),
    );
    expect(of_database).toEqual(of_file as readonly unknown[]);
    await Promise.all(both.map((ledger) => ledger.flush()));
    expect(await stateOf(database, keys[1])).toEqual(await stateOf(file, keys[0]));
    if (round % 10 === 9) clock.advance(DAY_MS / 2);
  }
  const admin = new SQL(server.url, { max: 1 });
  // Batches of debits alone were run by the statement that is theirs.
  expect((await admin.unsafe("SELECT 1 FROM key_usage WHERE prior_call <> 0 LIMIT 1")).length).toBe(1);
  // Every call names the one before it, and its answer is kept.
  const broken = await admin.unsafe(
    `SELECT c.id FROM calls c LEFT JOIN calls p ON p.id = c.previous LEFT JOIN answers a ON a.id = c.answer_id
     WHERE c.previous <> 0 AND (p.key_id IS DISTINCT FROM c.key_id OR p.id >= c.id)
        OR c.access = 'debit' AND a.body IS NULL`,
  );
  expect(broken).toHaveLength(0);
  await admin.close();
  for (const ledger of both) {
    expect((await ledger.audit()).findings).toEqual([]);
    await ledger.close();
  }
});

test.skipIf(why !== null)(
  "a batch of debits that is asked for again says what it did, and one of a node that lost its seat does nothing",
  async () => {
    const clock = createStillClock();
    const address = readAddress({ url: `${server.url}?schema=again` });
    const seat = { name: "one", seat_ms: 60_000 };
    const ledger = await openLedgerInPostgres({ address, clock, owner: "node-1", readers: 2, seat });
    const [first] = await issueKeys(ledger);
    const { key } = first as Key;
    const charge = { key, root: key, product: "one", amount: 10n, now_ms: clock.now() };
    // A lane's income has its account from the first debit on.
    expect((await ledger.charges.debit(charge, { body: "{}", name: null })).ok).toBe(true);

    const admin = new SQL(server.url, { max: 1 });
    await admin.unsafe("SET search_path = again");
    await admin.unsafe("INSERT INTO sessions (id, owner) VALUES ('ses', 'node-1')");
    const [{ id, lane }] = await admin.unsafe("SELECT id, (SELECT lane FROM seats) AS lane FROM answers");
    const own = { account: key.account ?? "", key: key.id, cap: null, amount: 10n, product: "one", day: 0 };
    const values = DEBITS.whole?.values([
      { ...own, answer: Number(id) },
      { ...own, answer: Number(id) },
    ]);
    const run = async (batch: number) =>
      (await admin.unsafe(DEBITS.whole?.sql ?? "", ["ses", batch, lane, clock.now(), ...(values ?? [])]))[0].results;
    const count = async () => Number((await admin.unsafe("SELECT count(*) AS n FROM calls"))[0].n);
    const told = await run(1);
    expect(await count()).toBe(3);
    expect(await run(1)).toBe(told);
    expect(await count()).toBe(3);

    await admin.unsafe("UPDATE seats SET ended = true");
    expect((await failureOf(run(2))).message).toContain("silent for too long");
    expect((await failureOf(ledger.charges.debit(charge, { body: "{}", name: null }))).name).toBe("NodeError");
    await ledger.flush().catch(() => undefined);
    expect(ledger.halted).toContain("silent for too long");
    expect(await count()).toBe(3);
    expect((await ledger.audit()).findings).toEqual([]);
    await admin.close();
    await ledger.close();
  },
);

test.skipIf(why !== null)(
  "calls of one key on nodes whose clocks differ are dated after each other, and booked together all the same",
  async () => {
    const open = async (name: string, ahead_ms: number) => {
      const clock = createStillClock(START_MS + ahead_ms);
      const address = readAddress({ url: `${server.url}?schema=clocks` });
      return openLedgerInPostgres({ address, clock, owner: name, readers: 2, seat: { name, seat_ms: 60_000 } });
    };
    const nodes = [await open("ahead", 4_000), await open("behind", -4_000)];
    const [first] = await issueKeys(nodes[0] as Ledger);
    const { key } = first as Key;
    const charge = { key, root: key, product: "one", amount: 10n, now_ms: START_MS };
    for (let n = 0; n < 10; n++) {
      const { charges } = nodes[n % 2] as Ledger;
      const told = await Promise.all([1, 2].map(() => charges.debit(charge, { body: "{}", name: null })));
      expect(told.every(({ ok }) => ok)).toBe(true);
    }
    const admin = new SQL(`${server.url}`, { max: 1 });
    const calls = await admin.unsafe("SELECT id, previous FROM clocks.calls ORDER BY id");
    expect(calls.map(({ previous }: { previous: bigint }) => Number(previous))).toEqual([
      0,
      ...calls.slice(0, -1).map(({ id }: { id: bigint }) => Number(id)),
    ]);
    // Only the first of each lane, which opens the account of its income, was run another way.
    const [{ n }] = await admin.unsafe(
      `SELECT count(*)::int AS n FROM clocks.sessions
       WHERE results LIKE '%"left":"{%' AND owner IN ('ahead', 'behind')`,
    );
    expect(n).toBe(2);
    await admin.close();
    for (const ledger of nodes) {
      expect((await ledger.audit()).findings).toEqual([]);
      await ledger.close();
    }
  },
);
